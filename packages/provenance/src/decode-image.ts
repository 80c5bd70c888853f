import sharp from "sharp";
import type { SharpOptions } from "sharp";
import { detectFormat, InvalidImageError } from "./image-format.ts";
import type { ImageFormat } from "./image-format.ts";
import { readPictureChunks, writePng } from "./png-chunks.ts";
import type { PngChunk } from "./png-chunks.ts";
import { releaseMemory } from "./release-memory.ts";

/** Pixels of 8 bits in sRGB, upright, row by row; three channels, or four with alpha. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

export interface DecodedImage {
  readonly format: ImageFormat;
  readonly pixels: Pixels;
  /** The parts of a PNG that make its picture; null for the other formats. */
  readonly pngChunks: readonly PngChunk[] | null;
}

/** 25 million pixels: half as many again as the largest image a model makes (4096 × 4096). */
const maxPixels = 4096 * 4096 * 1.5;
/** WebP knows no longer side, and every image is delivered as WebP too. */
const maxSide = 16_383;
const decodeTimeoutSeconds = 30;

const decoderOptions: SharpOptions = {
  limitInputPixels: maxPixels,
  limitInputChannels: 4,
  // A picture that is cut short or damaged must not count as an image. "warning" would also
  // refuse whole pictures with an odd colour profile.
  failOn: "error",
};

/**
 * Decodes every pixel of a PNG, JPEG or WebP image of at most 25 million pixels.
 * The size is read and judged before any memory is taken for pixels. Of an animation, the first
 * picture counts.
 *
 * @throws InvalidImageError when that is not what the bytes are.
 */
export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage> {
  const format = detectFormat(bytes);
  // Checked, and rid of compressed text, before a decoder sees it.
  const pngChunks = format === "png" ? readPictureChunks(bytes) : null;
  const checked = pngChunks === null ? bytes : writePng(pngChunks);
  const pixels = await decodePixels(checked);
  if (checked !== bytes) releaseMemory(checked);
  if (Math.max(pixels.width, pixels.height) > maxSide) {
    throw new InvalidImageError(`No side of an image may be longer than ${maxSide} pixels.`);
  }
  return { format, pixels, pngChunks };
}

async function decodePixels(bytes: Uint8Array): Promise<Pixels> {
  try {
    const { data, info } = await sharp(bytes, decoderOptions)
      .autoOrient()
      .raw({ depth: "uchar" })
      .timeout({ seconds: decodeTimeoutSeconds })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    if (channels !== 3 && channels !== 4) {
      throw new InvalidImageError(`An sRGB image cannot have ${channels} channels.`);
    }
    return { data, width, height, channels };
  } catch (cause) {
    if (cause instanceof InvalidImageError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidImageError(`The image cannot be decoded: ${reason}`, { cause });
  }
}
