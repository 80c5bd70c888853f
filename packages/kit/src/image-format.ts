/** The image formats that the service reads and delivers. */
export type ImageFormat = "png" | "jpeg" | "webp";

export const imageMediaTypes = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
} as const satisfies Record<ImageFormat, string>;

export type ImageMediaType = (typeof imageMediaTypes)[ImageFormat];

/**
 * Detects the format of an image by its first bytes, whatever a file name or media type says.
 * Signatures: PNG (ISO/IEC 15948, 5.2), JPEG (ITU-T T.81, B.1.1.3: SOI and a marker), WebP
 * (RFC 9649, 2.4).
 *
 * @returns null for anything else.
 */
export function detectImageFormat(bytes: Uint8Array): ImageFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12));
  const text = head.toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("RIFF") && text.slice(8) === "WEBP") return "webp";
  return null;
}
