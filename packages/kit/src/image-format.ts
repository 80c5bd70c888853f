/** The image formats that the service delivers. */
export type ImageFormat = "png" | "jpeg" | "webp";

export const imageMediaTypes = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
} as const satisfies Record<ImageFormat, string>;

export type ImageMediaType = (typeof imageMediaTypes)[ImageFormat];

/** The formats of images that clients send. */
export type ReceivedFormat = ImageFormat | "avif";

export const receivedMediaTypes = {
  ...imageMediaTypes,
  avif: "image/avif",
} as const satisfies Record<ReceivedFormat, string>;

export type ReceivedMediaType = (typeof receivedMediaTypes)[ReceivedFormat];

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

/**
 * Detects the format of an image that a client sends, as `detectImageFormat`. AVIF (AV1 Image File Format,
 * section 6): a `ftyp` box with the brand `avif`, or `avis` for a sequence.
 *
 * @returns null for anything else.
 */
export function detectReceivedFormat(bytes: Uint8Array): ReceivedFormat | null {
  return isAvif(bytes) ? "avif" : detectImageFormat(bytes);
}

function isAvif(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 256));
  if (head.length < 16 || head.toString("latin1", 4, 8) !== "ftyp") return false;
  const box = head.subarray(0, Math.min(head.length, head.readUInt32BE(0)));
  // The major brand, its version, then compatible brands, of four bytes each.
  for (let at = 8; at + 4 <= box.length; at += 4) {
    if (at !== 12 && /^avi[fs]$/.test(box.toString("latin1", at, at + 4))) return true;
  }
  return false;
}
