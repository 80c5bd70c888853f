import type { PixelSize } from "@atelier/schemas";
import sharp from "sharp";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ProviderImage } from "../../provider.ts";
import { unknown, wrongSize } from "../http/call-ended.ts";
import { mayHaveManifest } from "./canvas.ts";

/** Deviation of a vendor's edges from those that were asked for, as a share. */
const tolerance = 0.05;

/**
 * Scales the result of a tool down to its exact size: some vendors know one factor only.
 *
 * @throws CallEnded `wrong-size` for a smaller result, and `unknown` for a damaged one.
 */
export async function fitResult(image: ProviderImage, wanted: PixelSize): Promise<ProviderImage> {
  const { width, height } = await readSize(image);
  if (width === wanted.width && height === wanted.height) return image;
  const factor = Math.min(width / wanted.width, height / wanted.height);
  if (factor < 1 - tolerance) {
    throw wrongSize(`${width}x${height} where ${wanted.width}x${wanted.height} was asked for`);
  }
  try {
    const bytes = await inPixelTurn(Math.max(width * height, wanted.width * wanted.height), () =>
      sharp(image.bytes)
        .autoOrient()
        .resize({ ...wanted, fit: "cover", kernel: "lanczos3" })
        .png({ compressionLevel: 1 })
        .toBuffer(),
    );
    const original = mayHaveManifest(image.bytes) ? { original: image.bytes } : {};
    return { ...image, bytes, mediaType: "image/png", ...original };
  } catch {
    throw unknown("the pixels of the image cannot be read");
  }
}

async function readSize({ bytes }: ProviderImage): Promise<PixelSize> {
  try {
    return (await sharp(bytes).metadata()).autoOrient;
  } catch {
    throw unknown("the image cannot be read");
  }
}
