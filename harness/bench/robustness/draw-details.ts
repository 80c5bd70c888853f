import { join } from "node:path";
import { embedWatermark, type Pixels, type WatermarkKey } from "@atelier/watermark";
import sharp from "sharp";
import { toSharp, type Picture } from "./pictures.ts";

/** Pixels of a detail, which is shown at 200 %. */
const detail = { width: 200, height: 150 };
const gap = 10;

/** Skies and gradients, light and dark: the place of a detail in parts of the picture's width and height. */
const details = [
  { file: "light-sky", picture: "china.jpg", left: 0.62, top: 0.25 },
  { file: "dark-sky", picture: "rocket.jpg", left: 0.25, top: 0.3 },
  { file: "dark-table", picture: "coffee.png", left: 0.05, top: 0.5 },
  { file: "light-drawing", picture: "illustration 5:", left: 0.2, top: 0.15 },
  { file: "sunset-drawing", picture: "illustration 13:", left: 0.2, top: 0.1 },
  { file: "night-drawing", picture: "illustration 2:", left: 0.1, top: 0.1 },
] as const;

/** Draws details of six pictures at 200 %, a file of each: as it was, and with the mark to its right. */
export async function drawDetails(
  pictures: readonly Picture[],
  key: WatermarkKey,
  directory: string,
): Promise<void> {
  for (const { file, picture: wanted, ...place } of details) {
    const picture = pictures.find(({ name }) => name.includes(wanted));
    if (picture === undefined) throw new Error(`there is no picture ${wanted}`);
    const original = await picture.load();
    const pixels = { ...original, data: Buffer.from(original.data) };
    embedWatermark(pixels, "0123456789abcdef", key);
    const sides = [await enlargedDetail(original, place), await enlargedDetail(pixels, place)];
    const width = 4 * detail.width + gap;
    await sharp({
      create: { width, height: 2 * detail.height, channels: 3, background: "#fff" },
    })
      .composite(sides.map((input, at) => ({ input, left: at * (2 * detail.width + gap), top: 0 })))
      .webp({ lossless: true, effort: 6 })
      .toFile(join(directory, `watermark-${file}.webp`));
  }
}

function enlargedDetail(
  pixels: Pixels,
  { left, top }: { readonly left: number; readonly top: number },
): Promise<Buffer> {
  const area = {
    left: Math.round(left * pixels.width),
    top: Math.round(top * pixels.height),
    ...detail,
  };
  return toSharp(pixels)
    .extract(area)
    .resize(2 * detail.width, 2 * detail.height, { kernel: "nearest" })
    .png()
    .toBuffer();
}
