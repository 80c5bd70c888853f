import sharp from "sharp";
import type { Sharp } from "sharp";
import type { DecodedImage, Pixels } from "./decode-image.ts";
import type { ImageFormat } from "@atelier/kit";
import { readPictureChunks, writePng } from "./png-chunks.ts";

const encodeTimeoutSeconds = 60;

/**
 * Encodes an image in one of the three formats, with the XMP packet as its only metadata. A PNG
 * source keeps its compressed pixels unchanged when encoded as PNG.
 *
 * @param quality of JPEG and WebP, from 1 to 100; null selects the usual one.
 */
export async function encodeImage(
  image: DecodedImage,
  format: ImageFormat,
  xmp: string,
  quality: number | null = null,
): Promise<Buffer> {
  if (format === "png") {
    const chunks = image.pngChunks ?? readPictureChunks(await encodePng(image.pixels));
    return writePng(chunks, xmp);
  }
  const pixels = fromPixels(image.pixels);
  const encoder =
    format === "webp"
      ? pixels.webp({ quality: quality ?? 88, effort: 1 })
      : // JPEG has no transparency; a white background matches the look on a page.
        pixels.flatten({ background: "#ffffff" }).jpeg({ quality: quality ?? 90 });
  return encoder.withXmp(xmp).toBuffer();
}

/** Longest side of a thumbnail, in pixels. */
const thumbnailSide = 512;

/** Encodes a small WebP of an image, with the XMP packet as its only metadata. */
export async function encodeThumbnail(
  { pixels }: DecodedImage,
  xmp: string,
): Promise<{ readonly bytes: Buffer; readonly width: number; readonly height: number }> {
  const { data, info } = await fromPixels(pixels)
    .resize(thumbnailSide, thumbnailSide, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80, effort: 1 })
    .withXmp(xmp)
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

function encodePng(pixels: Pixels): Promise<Buffer> {
  return fromPixels(pixels).png({ compressionLevel: 1 }).toBuffer();
}

function fromPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } }).timeout({
    seconds: encodeTimeoutSeconds,
  });
}
