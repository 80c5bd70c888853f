import sharp from "sharp";
import type { PixelSize } from "./pixel-size.ts";

/**
 * Renders SVG as PNG without metadata.
 *
 * Compression favours speed, because the picture is encoded again for delivery.
 */
export async function rasterise(svg: string, size: PixelSize): Promise<Uint8Array> {
  return sharp(Buffer.from(svg), { limitInputPixels: size.width * size.height * 2 })
    .resize(size.width, size.height, { fit: "fill" })
    .removeAlpha()
    .png({ compressionLevel: 2 })
    .toBuffer();
}
