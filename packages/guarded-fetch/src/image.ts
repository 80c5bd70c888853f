import sharp from "sharp";
import { GuardedRequestError } from "./errors.ts";

export type ImageMediaType = "image/png" | "image/jpeg" | "image/webp";

export interface CleanImage {
  /** Encoded anew from the pixels: nothing else of the file is left. */
  readonly bytes: Uint8Array;
  readonly mediaType: ImageMediaType;
  /** In pixels, upright. */
  readonly width: number;
  readonly height: number;
}

export interface ImageLimits {
  /** The most pixels (width × height) that are decoded. */
  readonly maxPixels: number;
  /** The longest that decoding and encoding may take, in whole seconds. */
  readonly decodeTimeoutSeconds: number;
}

/**
 * The type of an image by its first bytes, whatever the server called it.
 * Signatures: PNG (ISO/IEC 15948, 5.2), JPEG (ITU-T T.81, SOI and a marker),
 * WebP (RFC 9649, 2.4).
 *
 * @throws GuardedRequestError `not_an_image` for anything else.
 */
export function detectMediaType(bytes: Uint8Array): ImageMediaType {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "image/webp";
  throw new GuardedRequestError("not_an_image", "no PNG, JPEG or WebP signature");
}

/**
 * Decodes an untrusted image whole and encodes its pixels anew: upright, in
 * sRGB with 8 bits, without metadata, the first frame of an animation only.
 * PNG stays PNG and so does any transparency; everything else becomes JPEG.
 *
 * @throws GuardedRequestError `not_an_image`, `too_many_pixels`, `undecodable`.
 */
export async function cleanImage(
  bytes: Uint8Array,
  mediaType: ImageMediaType,
  { decodeTimeoutSeconds, maxPixels }: ImageLimits,
): Promise<CleanImage> {
  const header = await orUndecodable(sharp(bytes, { limitInputPixels: false }).metadata());
  if (`image/${header.format}` !== mediaType) {
    throw new GuardedRequestError("not_an_image", "the decoder sees another format");
  }
  if (header.width * header.height > maxPixels) {
    throw new GuardedRequestError("too_many_pixels", "too many pixels");
  }
  const upright = sharp(bytes, {
    limitInputPixels: maxPixels,
    limitInputChannels: 4,
    failOn: "error",
    autoOrient: true,
  }).timeout({ seconds: decodeTimeoutSeconds });
  const keepsPng = mediaType === "image/png" || header.hasAlpha;
  const { data, info } = await orUndecodable(
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

/** The decoder has plain errors only; given valid options, they are about the image. */
async function orUndecodable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw new GuardedRequestError("undecodable", "the decoder gave up");
  }
}
