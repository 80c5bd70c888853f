import { escapeMarkup } from "@atelier/kit/escape-markup";
import sax, { type QualifiedAttribute, type QualifiedTag } from "sax";
import { elements, isAllowed, isPresentation, textElements, unwrapped } from "./allowed.ts";

const svgNamespace = "http://www.w3.org/2000/svg";
const xlinkNamespace = "http://www.w3.org/1999/xlink";
const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

const maxLength = 5_000_000;
const maxElements = 50_000;
const maxDepth = 64;

/** A file that cannot be made safe, with the reason. */
export class SvgError extends Error {
  override readonly name = "SvgError";
}

/**
 * Rewrites an SVG so that it contains nothing but shapes, gradients, clips and text: an allow-list
 * of elements, attributes and values. The result has no script, event handler, link, style sheet,
 * embedded or external resource, no DOCTYPE and no entities besides those of XML.
 *
 * @param size the width and height of the result in pixels; default: those of the file.
 * @throws SvgError for a file that is too large, not well-formed, not an SVG, or without a size.
 */
export function sanitizeSvg(
  text: string,
  size?: { readonly width: number; readonly height: number },
): string {
  if (text.length > maxLength)
    throw new SvgError(`The SVG is longer than ${maxLength} characters.`);
  const parser = sax.parser(true, { xmlns: true });
  const output: string[] = [];
  /** For each open element: its end tag, or null if the element itself is not kept. */
  const open: { readonly name: string; readonly end: string | null }[] = [];
  /** Depth of the outermost element that is removed with its children. */
  let removedFrom = Number.POSITIVE_INFINITY;
  let count = 0;
  let isEmpty = true;

  const addText = (value: string) => {
    const parent = open.findLast(({ end }) => end !== null);
    const isRemoved = open.length > removedFrom;
    if (parent !== undefined && !isRemoved && textElements.has(parent.name)) {
      output.push(escape(value));
    }
  };
  Object.assign(parser, {
    onerror(error: Error) {
      throw new SvgError(`The SVG is not well-formed: ${error.message.split("\n")[0]}.`);
    },
    ondoctype(doctype: string) {
      if (doctype.includes("[")) throw new SvgError("The SVG declares entities in its DOCTYPE.");
    },
    onopentag(element: QualifiedTag) {
      count += 1;
      if (count > maxElements) throw new SvgError(`The SVG has more than ${maxElements} elements.`);
      if (open.length >= maxDepth)
        throw new SvgError(`The SVG is nested more than ${maxDepth} deep.`);
      const name = element.uri === svgNamespace ? element.local : "";
      if (open.length === 0) {
        if (name !== "svg") throw new SvgError("The root element is not svg.");
        isEmpty = false;
        output.push(`<svg xmlns="${svgNamespace}"${rootAttributes(element, size)}>`);
        open.push({ name, end: "</svg>" });
        return;
      }
      const isKept = elements.has(name) && name !== "svg";
      if (open.length < removedFrom && !isKept && !unwrapped.has(name)) removedFrom = open.length;
      if (open.length >= removedFrom || !isKept) {
        open.push({ name, end: null });
        return;
      }
      const isInClip = open.some((parent) => parent.name === "clipPath") || name === "clipPath";
      output.push(`<${name}${attributesOf(element, isInClip)}>`);
      open.push({ name, end: `</${name}>` });
    },
    onclosetag() {
      const closed = open.pop();
      if (closed?.end != null) output.push(closed.end);
      if (open.length <= removedFrom) removedFrom = Number.POSITIVE_INFINITY;
    },
    ontext: addText,
    oncdata: addText,
  });
  parser.write(text).close();
  if (isEmpty) throw new SvgError("The file is not an SVG.");
  return output.join("");
}

/** The attributes of the root: a size in pixels and a viewBox, and what else is allowed. */
function rootAttributes(
  element: QualifiedTag,
  size: { readonly width: number; readonly height: number } | undefined,
): string {
  const value = (name: string) => element.attributes[name]?.value;
  const width = readLength(value("width"));
  const height = readLength(value("height"));
  const box = (value("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const hasBox =
    box.length === 4 && box.every(Number.isFinite) && (box[2] ?? 0) > 0 && (box[3] ?? 0) > 0;
  const viewBox = hasBox ? box : width === null || height === null ? null : [0, 0, width, height];
  if (viewBox === null) throw new SvgError("The SVG has neither a viewBox nor a size.");
  const shown = size ?? {
    width: width ?? (viewBox[2] as number),
    height: height ?? (viewBox[3] as number),
  };
  const others = Object.values(element.attributes).filter(
    ({ local }) => !["width", "height", "viewBox"].includes(local),
  );
  return ` width="${round(shown.width)}" height="${round(shown.height)}" viewBox="${viewBox.join(" ")}"${attributesOf({ ...element, attributes: Object.fromEntries(others.map((other) => [other.name, other])) }, false)}`;
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}

/** A positive length in pixels or points, as pixels; null for anything else. */
function readLength(text: string | undefined): number | null {
  const [, digits, unit] = /^\s*(\d{1,6}(?:\.\d{1,6})?)(px|pt)?\s*$/.exec(text ?? "") ?? [];
  const length = Number(digits) * (unit === "pt" ? 4 / 3 : 1);
  return length > 0 ? length : null;
}

function attributesOf(element: QualifiedTag, isInClip: boolean): string {
  const kept = new Map<string, string>();
  for (const attribute of Object.values(element.attributes)) {
    for (const [name, value] of allowedParts(element.local, attribute)) {
      // A clip inside of a clip could make the cost of drawing grow exponentially.
      if (!(isInClip && name === "clip-path")) kept.set(name, value);
    }
  }
  return [...kept].map(([name, value]) => ` ${name}="${escape(value)}"`).join("");
}

/** The allowed attributes that an attribute stands for: itself, or the declarations of a style. */
function allowedParts(
  element: string,
  { local, uri, value }: QualifiedAttribute,
): readonly (readonly [name: string, value: string])[] {
  if (local === "href" && (uri === "" || uri === xlinkNamespace)) {
    const isTemplate = element === "linearGradient" || element === "radialGradient";
    return isTemplate && /^#[A-Za-z_][\w.:-]*$/.test(value) ? [["href", value]] : [];
  }
  if (uri === xmlNamespace && local === "space") return [["xml:space", value.trim().slice(0, 8)]];
  if (uri !== "") return [];
  if (local === "style") {
    return value.split(";").flatMap((declaration) => {
      const [name = "", ...rest] = declaration.split(":");
      const property = name.trim().toLowerCase();
      const text = rest.join(":").trim();
      return isPresentation(property) && isAllowed(property, text) ? [[property, text]] : [];
    });
  }
  return isAllowed(local, value) ? [[local, value.trim()]] : [];
}

/** Escapes a text, without the characters that XML does not allow. */
function escape(text: string): string {
  return escapeMarkup(
    text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ""),
  );
}
