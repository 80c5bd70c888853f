import sharp from "sharp";
import type { PixelSize } from "./pixel-size.ts";

/**
 * The pixels of a picture as PNG, without metadata.
 *
 * Compression is fast on purpose: the picture is encoded again for delivery.
 */
export async function rasterise(svg: string, size: PixelSize): Promise<Uint8Array> {
  return sharp(Buffer.from(svg), { limitInputPixels: size.width * size.height * 2 })
    .resize(size.width, size.height, { fit: "fill" })
    .removeAlpha()
    .png({ compressionLevel: 2 })
    .toBuffer();
}
