import { embedWatermark, type Pixels, type WatermarkKey } from "@atelier/watermark";
import sharp from "sharp";
import { toSharp, type Picture } from "../watermark/pictures.ts";

/** Pixels of a detail, which is shown at 200 %. */
const side = 150;
const gap = 10;

/** Draws the calm upper part of six pictures at 200 %: as it was, and with the mark to its right. */
export async function drawDetails(
  pictures: readonly Picture[],
  key: WatermarkKey,
  file: string,
): Promise<void> {
  const details: Buffer[] = [];
  for (const picture of pictures.slice(0, 6)) {
    const original = await picture.load();
    const pixels = { ...original, data: Buffer.from(original.data) };
    embedWatermark(pixels, "0123456789abcdef", key);
    details.push(await enlargedDetail(original), await enlargedDetail(pixels));
  }
  const step = 2 * side + gap;
  const columns = 4;
  const rows = Math.ceil(details.length / columns);
  await sharp({
    create: {
      width: columns * step - gap,
      height: rows * step - gap,
      channels: 3,
      background: "#fff",
    },
  })
    .composite(
      details.map((input, index) => ({
        input,
        left: (index % columns) * step,
        top: Math.floor(index / columns) * step,
      })),
    )
    .webp({ quality: 96, effort: 6 })
    .toFile(file);
}

function enlargedDetail(pixels: Pixels): Promise<Buffer> {
  return toSharp(pixels)
    .extract({ left: pixels.width >> 3, top: pixels.height >> 4, width: side, height: side })
    .resize(2 * side, 2 * side, { kernel: "nearest" })
    .png()
    .toBuffer();
}
