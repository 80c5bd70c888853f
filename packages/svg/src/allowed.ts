/** Elements that are kept. */
export const elements: ReadonlySet<string> = new Set([
  "svg",
  "g",
  "defs",
  "path",
  "rect",
  "circle",
  "ellipse",
  "line",
  "polyline",
  "polygon",
  "text",
  "tspan",
  "title",
  "desc",
  "linearGradient",
  "radialGradient",
  "stop",
  "clipPath",
]);

/** Elements that are removed, and whose children are kept. */
export const unwrapped: ReadonlySet<string> = new Set(["a", "switch"]);

/** Elements whose text is kept. */
export const textElements: ReadonlySet<string> = new Set(["text", "tspan", "title", "desc"]);

/** The allowed values of an attribute. */
type ValueKind = "number" | "paint" | "word" | "font" | "path" | "transform" | "id" | "reference";

/** Attributes that are kept, with the values they may have. */
const attributeKinds: Readonly<Record<ValueKind, readonly string[]>> = {
  number: [
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "fx",
    "fy",
    "fr",
    "dx",
    "dy",
    "width",
    "height",
    "viewBox",
    "offset",
    "rotate",
    "textLength",
    "opacity",
    "fill-opacity",
    "stroke-opacity",
    "stop-opacity",
    "stroke-width",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-miterlimit",
    "font-size",
    "letter-spacing",
    "word-spacing",
  ],
  paint: ["fill", "stroke", "color", "stop-color"],
  word: [
    "fill-rule",
    "clip-rule",
    "stroke-linecap",
    "stroke-linejoin",
    "font-weight",
    "font-style",
    "text-anchor",
    "text-decoration",
    "dominant-baseline",
    "alignment-baseline",
    "baseline-shift",
    "preserveAspectRatio",
    "gradientUnits",
    "spreadMethod",
    "clipPathUnits",
    "lengthAdjust",
    "paint-order",
    "vector-effect",
    "shape-rendering",
    "display",
    "visibility",
    "space",
  ],
  font: ["font-family"],
  path: ["d", "points"],
  transform: ["transform", "gradientTransform"],
  id: ["id"],
  reference: ["clip-path"],
};

/** Patterns of one pass over the value: a file from others must not make matching slow. */
const values: Readonly<Record<ValueKind, RegExp>> = {
  number: /^[-+\d.\s,%a-zA-Z]{0,2000}$/,
  paint:
    /^(?:#[\da-fA-F]{3,8}|[a-zA-Z]{1,30}|(?:rgb|rgba|hsl|hsla)\([\d\s.,%/+-]*\)|url\(\s*(["']?)#[A-Za-z_][\w.:-]*\1\s*\)(?:\s+(?:none|#[\da-fA-F]{3,8}))?)$/,
  word: /^[\w\s.-]{0,100}$/,
  font: /^[\w\s,'".-]{0,200}$/,
  path: /^[\s\d.,eE+\-MmZzLlHhVvCcSsQqTtAa]*$/,
  transform: /^[-+\d.\s,()a-zA-Z]{0,2000}$/,
  id: /^[A-Za-z_][\w.:-]{0,100}$/,
  reference: /^url\(\s*(["']?)#[A-Za-z_][\w.:-]*\1\s*\)$/,
};

const kindOf: ReadonlyMap<string, ValueKind> = new Map(
  Object.entries(attributeKinds).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as ValueKind] as const),
  ),
);

/** Whether an attribute, or a declaration of a `style` attribute, is kept with this value. */
export function isAllowed(name: string, value: string): boolean {
  const kind = kindOf.get(name);
  return kind !== undefined && values[kind].test(value.trim());
}

/** Presentation attributes, which a `style` attribute may set as well. */
export function isPresentation(name: string): boolean {
  const kind = kindOf.get(name);
  if (kind === "paint" || kind === "reference" || kind === "font") return true;
  return kind !== undefined && kind !== "id" && name.includes("-");
}
