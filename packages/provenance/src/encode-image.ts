import sharp from "sharp";
import type { Sharp } from "sharp";
import type { DecodedImage, Pixels } from "./decode-image.ts";
import type { ImageFormat } from "@atelier/kit";
import { compressPixels } from "@atelier/watermark";
import { createPictureChunks, readPictureChunks, writePng, type PngChunk } from "./png-chunks.ts";
import { releaseMemory } from "./release-memory.ts";

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
    if (image.pngChunks !== null) return writePng(image.pngChunks, xmp);
    const chunks = await compressPng(image.pixels);
    const file = writePng(chunks, xmp);
    for (const { bytes } of chunks) releaseMemory(bytes);
    return file;
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

/** Pixels that compress to less than this part are flat: zlib finds repetitions in them, and is fast. */
const flatShare = 1 / 6;

async function compressPng(pixels: Pixels): Promise<PngChunk[]> {
  const compressed = compressPixels(pixels);
  if (compressed !== null && compressed.length >= flatShare * pixels.data.length) {
    const chunks = createPictureChunks(pixels, compressed);
    releaseMemory(compressed);
    return chunks;
  }
  const compressionLevel = compressed === null ? 1 : 6;
  return readPictureChunks(await fromPixels(pixels).png({ compressionLevel }).toBuffer());
}

function fromPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } }).timeout({
    seconds: encodeTimeoutSeconds,
  });
}
