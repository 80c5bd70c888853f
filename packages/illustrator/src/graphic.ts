import { mix, shade } from "./colour.ts";
import type { Colour } from "./colour.ts";
import type { Brush } from "./draw/brush.ts";
import { box, oval, polygon, range, short, star } from "./geometry.ts";
import type { Point } from "./geometry.ts";
import { groundFor } from "./ground.ts";
import type { Mention } from "./mention.ts";
import { createPen } from "./pen.ts";
import type { Pen } from "./pen.ts";
import { pixelSize } from "./pixel-size.ts";
import { createRandom, hashText } from "./random.ts";
import type { Random } from "./random.ts";
import { readMentions } from "./read-words.ts";
import { nearest, styles } from "./styles.ts";
import { subjects } from "./subjects.ts";
import { svgDocument } from "./svg-document.ts";

/** A request for a graphic. The same request gives the same SVG on every machine. */
export interface GraphicRequest {
  readonly kind: "icon" | "logo" | "illustration";
  readonly prompt: string;
  readonly seed: number;
  /** Colours such as `#1f6feb`; empty for colours of the program. */
  readonly palette: readonly Colour[];
  /** A colour, or `transparent`. */
  readonly background: string;
  /** For example `1:1`. */
  readonly aspectRatio: string;
}

const palettes: readonly (readonly Colour[])[] = [
  ["#1f3a5f", "#e07a3f", "#f2d16b"],
  ["#234f3d", "#d9b44a", "#c8553d"],
  ["#3b2f63", "#e86a92", "#7cc6c3"],
  ["#1d4e59", "#f0a35e", "#a8c686"],
];
const maxThings = 3;
/** Zones whose subjects are centred on their position. */
const skyZones: ReadonlySet<string> = new Set(["sky", "underwater"]);
/** Units above and below the position, for subjects of the sky that are not centred on it. */
const reaches: Readonly<Record<string, { readonly above: number; readonly below: number }>> = {
  rocket: { above: 100, below: 50 },
  balloon: { above: 100, below: 4 },
  kite: { above: 62, below: 242 },
};

/**
 * Draws a graphic as SVG: pictograms of the things that the prompt names, initials of a name for a
 * logo, and a geometric emblem where nothing is known. Initials are `text` elements.
 *
 * @throws RangeError for an unsupported aspect ratio.
 */
export function drawGraphic(request: GraphicRequest): string {
  const { kind, prompt, seed, background, aspectRatio } = request;
  const view = pixelSize(aspectRatio, "1K");
  if (view === null) throw new RangeError(`cannot draw at ${aspectRatio}`);
  const random = createRandom(hashText(`${seed}/${prompt}`));
  const colours =
    request.palette.length > 0 ? request.palette : random.fork("palette").pick(palettes);
  const things = readMentions(prompt).filter((mention) => Object.hasOwn(subjects, mention.kind));
  const pen = createPen({ ...styles.flat, tone: toneOf(colours), tonesLight: true }, 1.5);
  const plain = createPen({ ...styles.flat, tone: (colour) => colour });
  const edge = Math.min(view.width, view.height);
  const middle: Point = [view.width / 2, view.height / 2];
  const initials = kind === "logo" ? initialsOf(prompt) : "";
  const ground =
    background === "transparent" ? "" : plain.fill(box(0, 0, view.width, view.height), background);

  function compose(): string {
    if (initials !== "") {
      return (
        drawEmblem(plain, random, colours, middle, edge * 0.44) +
        writeInitials(initials, colours, middle, edge)
      );
    }
    const [first] = things;
    if (first === undefined) return drawEmblem(plain, random, colours, middle, edge * 0.44);
    if (kind === "icon") return drawThing(pen, random, first, middle, edge * 0.84, edge * 0.84);
    if (kind === "logo") {
      const disc = plain.fill(
        oval(middle[0], middle[1], edge * 0.45),
        mix(colours[0] ?? "#1f3a5f", "#ffffff", 0.86),
      );
      const ring = plain.line(
        oval(middle[0], middle[1], edge * 0.45),
        colours[0] ?? "#1f3a5f",
        edge * 0.025,
      );
      return disc + ring + drawThing(pen, random, first, middle, edge * 0.56, edge * 0.56);
    }
    return drawRow(things.slice(0, maxThings));
  }

  function drawRow(row: readonly Mention[]): string {
    const width = (view?.width ?? edge) * 0.88;
    const soil = plain.fill(
      oval(middle[0], middle[1] + edge * 0.36, width * 0.52, edge * 0.06),
      mix(colours.at(-1) ?? "#a8c686", "#ffffff", 0.45),
    );
    const drawn = row.map((thing, index) => {
      const x = middle[0] + ((index + 0.5) / row.length - 0.5) * width;
      return drawThing(
        pen,
        random.fork(`${index}`),
        thing,
        [x, middle[1]],
        (width / row.length) * 0.92,
        edge * 0.72,
        middle[1] + edge * 0.36,
      );
    });
    return soil + drawn.join("");
  }

  const body = compose();
  return svgDocument(view, view, pen.definitions() + plain.definitions(), ground + body);
}

/** Maps every colour to the nearest one of a palette; small palettes are extended by shades. */
function toneOf(palette: readonly Colour[]): (colour: Colour) => Colour {
  const inks =
    palette.length >= 4
      ? palette
      : palette.flatMap((colour) => [colour, shade(colour, 0.2), shade(colour, -0.16)]);
  return (colour) => nearest(colour, inks);
}

/** Draws a thing into a box around a point; `foot` is where it stands instead of in the middle. */
function drawThing(
  pen: Pen,
  random: Random,
  { kind, colours }: Mention,
  [x, y]: Point,
  width: number,
  height: number,
  foot: number | null = null,
): string {
  const subject = subjects[kind];
  if (subject === undefined) return "";
  const brush: Brush = {
    pen,
    random: random.fork("thing"),
    ground: groundFor("summer", random.fork("ground")),
    lit: false,
    colours,
    parts: new Map(),
  };
  const reach = reaches[kind] ?? { above: 100, below: 0 };
  const floats = !Object.hasOwn(reaches, kind) && skyZones.has(subject.zone);
  const scale = Math.min(height / (reach.above + reach.below), width / (2 * subject.halfWidth));
  const bottom = (foot ?? y + ((reach.above + reach.below) / 2) * scale) - reach.below * scale;
  return pen.place(subject.draw(brush), x, floats ? y : bottom, scale);
}

/** A badge of nested shapes, chosen by the seed. */
function drawEmblem(
  pen: Pen,
  random: Random,
  colours: readonly Colour[],
  [x, y]: Point,
  radius: number,
): string {
  const [outer = "#1f3a5f", inner = "#e07a3f", mark = "#f2d16b"] = colours;
  const sides = random.pick([0, 5, 6, 8]);
  const shape = (reach: number): string =>
    sides === 0 ? oval(x, y, reach) : polygon(corners(x, y, reach, sides));
  const points = random.whole(4, 9);
  return (
    pen.fill(shape(radius), outer) +
    pen.fill(shape(radius * 0.84), mix(outer, "#ffffff", 0.9)) +
    pen.fill(shape(radius * 0.76), inner) +
    pen.fill(star(x, y, radius * 0.56, radius * random.between(0.2, 0.36), points), mark)
  );
}

function corners(x: number, y: number, radius: number, count: number): Point[] {
  return range(count).map((index) => {
    const angle = (index / count) * Math.PI * 2 - Math.PI / 2;
    return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius];
  });
}

/** Up to three initials of a quoted or capitalised name; empty without one. */
function initialsOf(prompt: string): string {
  const quoted = /["“„'‘]([^"”“'’]{1,60})["”“'’]/u.exec(prompt)?.[1];
  const named = /\b(?:for|of|named|called)\s+((?:\p{Lu}[\p{L}\p{N}]*\s*){1,4})/u.exec(prompt)?.[1];
  const words = (quoted ?? named ?? "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 3)
    .map((word) => word[0]?.toUpperCase() ?? "")
    .join("");
}

function writeInitials(
  initials: string,
  colours: readonly Colour[],
  [x, y]: Point,
  edge: number,
): string {
  const size = edge * (initials.length === 1 ? 0.5 : initials.length === 2 ? 0.36 : 0.27);
  const plate = `<path d="${oval(x, y, edge * 0.29)}" fill="${mix(colours[0] ?? "#1f3a5f", "#ffffff", 0.94)}"/>`;
  return `${plate}<text x="${short(x)}" y="${short(y + size * 0.36)}" text-anchor="middle" font-family="Arimo, Helvetica, sans-serif" font-size="${short(size)}" fill="${colours[0] ?? "#1f3a5f"}">${initials}</text>`;
}
