import sharp from "sharp";
import type { Sharp } from "sharp";
import type { DecodedImage, Pixels } from "./decode-image.ts";
import type { ImageFormat } from "./image-format.ts";
import { readPictureChunks, writePng } from "./png-chunks.ts";

const encodeTimeoutSeconds = 60;

/**
 * Writes an image in one of the three formats, with the XMP packet as its only metadata.
 * A PNG that came as PNG keeps its compressed pixels, bit for bit.
 */
export async function encodeImage(
  image: DecodedImage,
  format: ImageFormat,
  xmp: string,
): Promise<Buffer> {
  if (format === "png") {
    const chunks = image.pngChunks ?? readPictureChunks(await encodePng(image.pixels));
    return writePng(chunks, xmp);
  }
  const pixels = fromPixels(image.pixels);
  const encoder =
    format === "webp"
      ? pixels.webp({ quality: 88, effort: 1 })
      : // JPEG has no transparency; on white it looks as it does on a page.
        pixels.flatten({ background: "#ffffff" }).jpeg({ quality: 90 });
  return encoder.withXmp(xmp).toBuffer();
}

function encodePng(pixels: Pixels): Promise<Buffer> {
  return fromPixels(pixels).png({ compressionLevel: 3 }).toBuffer();
}

function fromPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } }).timeout({
    seconds: encodeTimeoutSeconds,
  });
}
