import sharp from "sharp";
import type { SharpOptions } from "sharp";
import type { InspectedFormat } from "./file-format.ts";
import { detectFormat, InvalidImageError } from "./image-format.ts";
import type { ImageFormat } from "@atelier/kit";
import { readPictureChunks, writePng } from "./png-chunks.ts";
import type { PngChunk } from "./png-chunks.ts";
import { releaseMemory } from "./release-memory.ts";

/** 8-bit sRGB pixels in display orientation, row by row; three channels, or four with alpha. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

export interface DecodedImage {
  readonly format: ImageFormat;
  readonly pixels: Pixels;
  /** The PNG chunks that define the image; null for other formats. */
  readonly pngChunks: readonly PngChunk[] | null;
}

/** The largest image that this service makes: one that was scaled up. */
const defaultMaxPixels = 40_000_000;
/** Maximum edge length of WebP; every image is also delivered as WebP. */
const maxSide = 16_383;
/** Of an image of a provider. A process with a limit of CPU time needs none. */
const decodeTimeoutSeconds = 30;

const decoderOptions: SharpOptions = {
  limitInputChannels: 4,
  // Rejects truncated and damaged images. "warning" would also reject intact images with an unusual
  // colour profile.
  failOn: "error",
};

/**
 * Decodes every pixel of a PNG, JPEG or WebP image of at most `maxPixels` pixels. Checks the size
 * before allocating memory for pixels. Decodes only the first frame of an animation.
 *
 * @param options.timeoutSeconds wall time; 0 for no limit. Default 30.
 * @throws InvalidImageError for any other input; an error with `isTimeout` when it takes too long.
 */
export async function decodeImage(
  bytes: Uint8Array,
  {
    maxPixels = defaultMaxPixels,
    timeoutSeconds = decodeTimeoutSeconds,
  }: { readonly maxPixels?: number; readonly timeoutSeconds?: number } = {},
): Promise<DecodedImage> {
  const format = detectFormat(bytes);
  // Verified, and without compressed text, before a decoder reads it.
  const pngChunks = format === "png" ? readPictureChunks(bytes) : null;
  const checked = pngChunks === null ? bytes : writePng(pngChunks);
  const pixels = await decodePixels(checked, maxPixels, timeoutSeconds);
  if (checked !== bytes) releaseMemory(checked);
  return { format, pixels, pngChunks };
}

/**
 * Decodes the pixels of an image to inspect: like `decodeImage`, and also AVIF and GIF. Only for
 * processes with limits, because it exposes two more decoders.
 *
 * @throws InvalidImageError for any other input.
 */
export async function decodeInspected(
  bytes: Uint8Array,
  format: Exclude<InspectedFormat, "svg">,
  { maxPixels }: { readonly maxPixels: number },
): Promise<Pixels> {
  if (format === "avif" || format === "gif") return decodePixels(bytes, maxPixels, 0);
  return (await decodeImage(bytes, { maxPixels, timeoutSeconds: 0 })).pixels;
}

/** Whether any pixel is not opaque. */
export function hasTransparency({ data, channels }: Pixels): boolean {
  if (channels !== 4) return false;
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 255) return true;
  return false;
}

/** Whether the codec stopped at its limit of wall time, which says nothing about the image. */
export function isTimeout(error: unknown): error is Error {
  return error instanceof Error && /\btimeout: \d+% complete/.test(error.message);
}

async function decodePixels(
  bytes: Uint8Array,
  limitInputPixels: number,
  seconds: number,
): Promise<Pixels> {
  try {
    const { data, info } = await sharp(bytes, { ...decoderOptions, limitInputPixels })
      .autoOrient()
      .raw({ depth: "uchar" })
      .timeout({ seconds })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    if (channels !== 3 && channels !== 4) {
      throw new InvalidImageError(`An sRGB image cannot have ${channels} channels.`);
    }
    if (Math.max(width, height) > maxSide) {
      throw new InvalidImageError(`No side of an image may be longer than ${maxSide} pixels.`);
    }
    return { data, width, height, channels };
  } catch (cause) {
    if (cause instanceof InvalidImageError || isTimeout(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidImageError(`The image cannot be decoded: ${reason}`, { cause });
  }
}
