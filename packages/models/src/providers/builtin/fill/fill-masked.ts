import type { PixelSize } from "@atelier/schemas";
import sharp from "sharp";
import { fillHole } from "./fill-hole.ts";

/** Maximum pixels of the part that is filled, and of its hole, for the CPU time; a larger part is scaled down and the result up. */
const maxPixels = 400_000;
const maxHole = 40_000;
/** Surroundings to fill from, on each side: a share of the hole's longer edge, and at least so many pixels. */
const surroundings = { share: 0.75, min: 48 };

/** A rectangle in pixels. */
interface Box extends PixelSize {
  readonly left: number;
  readonly top: number;
}

/**
 * Fills the white area of a mask from its surroundings. Only for a limited process: it takes seconds of CPU
 * time.
 *
 * @param image PNG, JPEG or WebP, upright.
 * @param mask an opaque grey PNG of the same size; a grey pixel mixes the image with what fills it.
 * @returns a PNG in which only pixels that are not black in the mask differ from the image.
 */
export async function fillMasked(image: Uint8Array, mask: Uint8Array): Promise<Buffer> {
  const [{ data: pixels, info }, shares] = await Promise.all([
    sharp(image).toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true }),
    sharp(mask).removeAlpha().toColourspace("b-w").raw().toBuffer(),
  ]);
  const { width, height } = info;
  const hole = findHole(shares, { width, height });
  if (hole !== null) {
    const box = widen(hole.box, { width, height });
    const patch = await fillBox(image, mask, box, hole.count);
    blend(pixels, shares, width, box, patch);
  }
  const { hasAlpha } = await sharp(image).metadata();
  const result = sharp(pixels, { raw: { width, height, channels: 4 } });
  return (hasAlpha ? result : result.removeAlpha()).png({ compressionLevel: 1 }).toBuffer();
}

/** The smallest rectangle around the pixels that are not black, and their number; null without any. */
function findHole(
  shares: Buffer,
  { width, height }: PixelSize,
): { readonly box: Box; readonly count: number } | null {
  let [left, top, right, bottom, count] = [width, height, -1, -1, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (shares[y * width + x] === 0) continue;
      count += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (count === 0) return null;
  return { box: { left, top, width: right - left + 1, height: bottom - top + 1 }, count };
}

function widen(box: Box, { width, height }: PixelSize): Box {
  const longer = Math.max(box.width, box.height);
  const margin = Math.ceil(Math.max(surroundings.min, longer * surroundings.share));
  const left = Math.max(0, box.left - margin);
  const top = Math.max(0, box.top - margin);
  return {
    left,
    top,
    width: Math.min(width, box.left + box.width + margin) - left,
    height: Math.min(height, box.top + box.height + margin) - top,
  };
}

/** Fills the hole in a box of the image, at a size that bounds the work, and returns its RGBA pixels. */
async function fillBox(
  image: Uint8Array,
  mask: Uint8Array,
  box: Box,
  holePixels: number,
): Promise<Buffer> {
  const scale = Math.min(
    1,
    Math.sqrt(maxPixels / (box.width * box.height)),
    Math.sqrt(maxHole / holePixels),
  );
  const work = {
    width: Math.max(1, Math.round(box.width * scale)),
    height: Math.max(1, Math.round(box.height * scale)),
  };
  const resized = { ...work, fit: "fill" as const };
  const [data, hole] = await Promise.all([
    sharp(image).extract(box).resize(resized).toColourspace("srgb").ensureAlpha().raw().toBuffer(),
    // A pixel that is partly in the hole shows what is to be removed. Faint lines may vanish when they are scaled.
    sharp(mask)
      .removeAlpha()
      .toColourspace("b-w")
      .extract(box)
      .resize(resized)
      .threshold(1)
      .raw()
      .toBuffer(),
  ]);
  const channels = Float32Array.from(data);
  // Premultiplied: transparent pixels have no colour to spread.
  scaleColours(channels, (alpha) => alpha / 255);
  fillHole({ ...work, channels, hole: new Uint8Array(hole.map((value) => Math.min(1, value))) });
  scaleColours(channels, (alpha) => (alpha === 0 ? 0 : 255 / alpha));
  const filled = Buffer.from(Uint8ClampedArray.from(channels).buffer);
  return sharp(filled, { raw: { ...work, channels: 4 } })
    .resize({ width: box.width, height: box.height, fit: "fill" })
    .raw()
    .toBuffer();
}

/** Multiplies the colours of each pixel by a factor of its alpha. */
function scaleColours(channels: Float32Array, factorOf: (alpha: number) => number): void {
  for (let at = 0; at < channels.length; at += 4) {
    const factor = factorOf(channels[at + 3]!);
    for (let channel = 0; channel < 3; channel += 1) channels[at + channel]! *= factor;
  }
}

/** Blends a patch into the pixels of the image in place, by the shares of the mask. */
function blend(pixels: Buffer, shares: Buffer, imageWidth: number, box: Box, patch: Buffer): void {
  const { left, top, width, height } = box;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (top + y) * imageWidth + left + x;
      const share = shares[at]! / 255;
      if (share === 0) continue;
      for (let channel = 0; channel < 4; channel += 1) {
        const before = pixels[at * 4 + channel]!;
        const after = patch[(y * width + x) * 4 + channel]!;
        pixels[at * 4 + channel] = Math.round(before + (after - before) * share);
      }
    }
  }
}
