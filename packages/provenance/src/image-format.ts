/** The formats every image is delivered in. */
export type ImageFormat = "png" | "jpeg" | "webp";

export const mediaTypes = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
} as const satisfies Record<ImageFormat, string>;

/** The bytes are not a whole PNG, JPEG or WebP image within the limits. */
export class InvalidImageError extends Error {
  override readonly name = "InvalidImageError";
}

/**
 * Tells the format by the first bytes, whatever a media type or a file name says.
 * Nothing else is ever given to a decoder, so no other loader of the image library can be reached.
 *
 * @throws InvalidImageError when it is none of the three.
 */
export function detectFormat(bytes: Uint8Array): ImageFormat {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16));
  const text = start.toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "webp";
  throw new InvalidImageError("The bytes are not a PNG, JPEG or WebP image.");
}
