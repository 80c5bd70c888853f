import { GuardedRequestError, type RefusalReason } from "./errors.ts";
import type { ImageHeader } from "./header-facts.ts";
import { assertHeader } from "./image-header.ts";

/**
 * Reads the header of an image from a client without decoding it.
 *
 * @param bytes the complete file.
 * @returns the header, or the reason why the image would be refused.
 */
export function probeImage(
  bytes: Uint8Array,
  maxPixels: number,
  maxJpegPixels = maxPixels,
): ImageHeader | { readonly refused: RefusalReason } {
  try {
    return assertHeader(bytes, maxPixels, maxJpegPixels);
  } catch (error) {
    if (error instanceof GuardedRequestError) return { refused: error.reason };
    throw error;
  }
}
