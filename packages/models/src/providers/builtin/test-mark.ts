import sharp from "sharp";

/** Strokes of the letters on a grid of 4 × 6, with round ends: no font is needed. */
const letters: Readonly<Record<string, string>> = {
  T: "M0 0H4M2 0V6",
  E: "M4 0H0V6H4M0 3H3",
  S: "M4 0.6Q3.4 0 2 0Q0 0 0 1.5Q0 3 2 3Q4 3 4 4.5Q4 6 2 6Q0.6 6 0 5.4",
};

const word = "TEST";
const gap = 1.6;
const padding = 2;
const label = {
  width: word.length * 4 + (word.length - 1) * gap + 2 * padding,
  height: 6 + 2 * padding,
};

/** The width of the label as a share of the shorter edge. */
const share = 0.3;

/**
 * SVG of the label `TEST` for the upper left corner of a picture.
 *
 * @param size of the picture in its own units.
 */
function drawTestMark(size: { readonly width: number; readonly height: number }): string {
  const edge = Math.min(size.width, size.height);
  const scale = (edge * share) / label.width;
  const inset = edge * 0.03;
  const strokes = Array.from(word, (letter, index) => {
    const x = padding + index * (4 + gap);
    return `<path transform="translate(${x} ${padding})" d="${letters[letter]}"/>`;
  });
  return `<g transform="translate(${inset} ${inset}) scale(${scale})"><rect width="${label.width}" height="${label.height}" rx="1.5" fill="#c2185b"/><g fill="none" stroke="#ffffff" stroke-width="1.2" stroke-linecap="round" stroke-linejoin="round">${strokes.join("")}</g></g>`;
}

/** Draws the mark on a picture. Its size and transparency stay. */
export async function markPicture(bytes: Uint8Array): Promise<Uint8Array> {
  const picture = sharp(bytes);
  const { width, height } = await picture.metadata();
  const mark = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawTestMark({ width, height })}</svg>`;
  return picture
    .composite([{ input: Buffer.from(mark) }])
    .png({ compressionLevel: 2 })
    .toBuffer();
}

/** Adds the mark to a sanitised SVG, in its own units. */
export function markSvg(svg: string): string {
  const [, x = "0", y = "0", width = "1", height = "1"] =
    /^<svg [^>]*?viewBox="(-?[\d.]+)[ ,]+(-?[\d.]+)[ ,]+([\d.]+)[ ,]+([\d.]+)"/.exec(svg) ?? [];
  const mark = drawTestMark({ width: Number(width), height: Number(height) });
  return svg.replace(/<\/svg>\s*$/, `<g transform="translate(${x} ${y})">${mark}</g></svg>`);
}
