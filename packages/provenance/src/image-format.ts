import {
  detectImageFormat,
  detectReceivedFormat,
  receivedMediaTypes,
  type ImageFormat,
} from "@atelier/kit";

/** The bytes are not a complete PNG, JPEG or WebP image within the limits. */
export class InvalidImageError extends Error {
  override readonly name = "InvalidImageError";
}

/**
 * Detects the format by the first bytes, ignoring media type and file name. Other formats never
 * reach a decoder, so the image library's other loaders are not exposed.
 *
 * @throws InvalidImageError when the bytes are not PNG, JPEG or WebP.
 */
export function detectFormat(bytes: Uint8Array): ImageFormat {
  const format = detectImageFormat(bytes);
  if (format !== null) return format;
  throw new InvalidImageError("The bytes are not a PNG, JPEG or WebP image.");
}

/**
 * Detects the media type of an image that a client may have sent, which is not decoded here.
 *
 * @throws InvalidImageError when the bytes are not PNG, JPEG, WebP or AVIF.
 */
export function detectMediaType(bytes: Uint8Array): string {
  const format = detectReceivedFormat(bytes);
  if (format !== null) return receivedMediaTypes[format];
  throw new InvalidImageError("The bytes are not a PNG, JPEG, WebP or AVIF image.");
}
