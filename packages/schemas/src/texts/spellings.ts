/*
 * Spellings of clients of other services that have one meaning. Each function returns the form that this
 * service reads, and any other value as it is, so that a schema or a model refuses it with what is allowed.
 */

/** Two numbers of up to five digits, between which stands one of `:`, `/`, `x`, `*` and `×`. */
const pair = /^(\d{1,5}) ?([:/x*×]) ?(\d{1,5})$/;

/** The shortest edge of a size in pixels: `16x9` is a ratio. */
const minEdge = 64;

function spellText(value: unknown): string | null {
  return typeof value === "string" ? value.trim().toLowerCase() : null;
}

/** Writes an aspect ratio with a colon: `16x9` and `16/9` are `16:9`, `square` is `1:1`; `auto` is undefined. */
export function spellRatio(value: unknown): unknown {
  const text = spellText(value);
  if (text === null) return value;
  if (text === "auto") return undefined;
  if (text === "square") return "1:1";
  const [, across, , down] = pair.exec(text) ?? [];
  return across === undefined ? value : `${across}:${down}`;
}

/**
 * Writes a size with an `x`, or as a ratio: `1024*1024` is `1024x1024`, `16x9` is `16:9`. `auto` stays, and so
 * do names of sizes.
 */
export function spellSize(value: unknown): unknown {
  const text = spellText(value);
  if (text === null || text === "auto") return text ?? value;
  const [, width, mark, height] = pair.exec(text) ?? [];
  const isRatio =
    mark === ":" || mark === "/" || [width, height].every((edge) => Number(edge) < minEdge);
  return width === undefined || isRatio ? (spellRatio(text) ?? text) : `${width}x${height}`;
}

/** The other names of formats. */
const formats: Readonly<Record<string, string>> = { jpg: "jpeg", "image/jpg": "jpeg" };

/** Writes a format of images as `png`, `jpeg` or `webp`: also `JPG`, `.png` and `image/webp`. */
export function spellFormat(value: unknown): unknown {
  const text = spellText(value);
  if (text === null) return value;
  const name = text.replace(/^(?:\.|image\/)/, "");
  return formats[name] ?? name;
}

/** Reads a number that is written as text: `2`, and `1.0` for 1. */
export function spellWholeNumber(value: unknown): unknown {
  const isWhole = typeof value === "string" && /^ ?\d{1,15}(?:\.0{1,6})? ?$/.test(value);
  return isWhole ? Number(value) : value;
}

/** Reads a decimal that is written as text. */
export function spellNumber(value: unknown): unknown {
  const isNumber = typeof value === "string" && /^ ?-?\d{1,15}(?:\.\d{1,15})? ?$/.test(value);
  return isNumber ? Number(value) : value;
}

/** Reads `true` and `false` that are written as text. */
export function spellBoolean(value: unknown): unknown {
  const text = spellText(value);
  return text === "true" || text === "false" ? text === "true" : value;
}

/** Writes a name of an enumeration in lower case. */
export function spellName(value: unknown): unknown {
  return spellText(value) ?? value;
}

/** The ratio of a list that equals another one, such as `16:9` for `32:18`; undefined if none does. */
export function findRatio(names: readonly string[], wanted: string): string | undefined {
  const [across, down] = numbersOf(wanted);
  return names.find((name) => {
    const [listedAcross, listedDown] = numbersOf(name);
    return name === wanted || (down > 0 && across * listedDown === down * listedAcross);
  });
}

function numbersOf(ratio: string): [across: number, down: number] {
  const [across = Number.NaN, down = Number.NaN] = ratio.split(":").map(Number);
  return [across, down];
}

/** The name of a list that differs from another one in case only, such as `1K` for `1k`; undefined if none does. */
export function findName(names: readonly string[], wanted: string): string | undefined {
  const lower = wanted.toLowerCase();
  return (
    names.find((name) => name === wanted) ?? names.find((name) => name.toLowerCase() === lower)
  );
}
