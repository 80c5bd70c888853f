import type { ImageMediaType } from "@atelier/kit";
import { isScaledToEdit, scaleToEdit } from "@atelier/schemas";
import sharp from "sharp";
import { GuardedRequestError } from "./errors.ts";
import { assertHeader, maxPixelsOf } from "./image-header.ts";

export interface CleanImage {
  /** Re-encoded from the pixels, without any other data of the file. */
  readonly bytes: Uint8Array;
  readonly mediaType: ImageMediaType;
  /** In pixels, in display orientation. */
  readonly width: number;
  readonly height: number;
}

export interface ImageLimits {
  /** Maximum number of pixels (width × height) to decode. */
  readonly maxPixels: number;
  /** The same for a JPEG. Default: `maxPixels`. */
  readonly maxJpegPixels?: number;
}

/**
 * Decodes an untrusted image completely and re-encodes its pixels: in display orientation, in 8-bit
 * sRGB, without metadata, scaled to what models can change. PNG files and images with transparency become PNG, all others JPEG.
 *
 * @throws GuardedRequestError as `assertHeader`; `undecodable` for damaged files.
 */
export async function cleanImage(
  bytes: Uint8Array,
  { maxPixels, maxJpegPixels = maxPixels }: ImageLimits,
): Promise<CleanImage> {
  const { mediaType, ...size } = assertHeader(bytes, maxPixels, maxJpegPixels);
  const limitInputPixels = maxPixelsOf({ mediaType }, maxPixels, maxJpegPixels);
  const { hasAlpha } = await withDecodeError(sharp(bytes, { limitInputPixels }).metadata());
  const decoded = sharp(bytes, {
    limitInputPixels,
    limitInputChannels: 4,
    failOn: "error",
    autoOrient: true,
  });
  // The decoder reads a JPEG at a smaller scale where that is enough.
  const upright = isScaledToEdit(size)
    ? decoded.resize({ ...scaleToEdit(size), fit: "fill" })
    : decoded;
  const keepsPng = mediaType === "image/png" || hasAlpha;
  const { data, info } = await withDecodeError(
    (keepsPng ? upright.png() : upright.jpeg({ quality: 90 })).toBuffer({
      resolveWithObject: true,
    }),
  );
  return {
    bytes: data,
    mediaType: keepsPng ? "image/png" : "image/jpeg",
    width: info.width,
    height: info.height,
  };
}

/** The decoder throws generic errors; with valid options they are about the image. */
async function withDecodeError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw new GuardedRequestError("undecodable", "the decoder gave up");
  }
}
