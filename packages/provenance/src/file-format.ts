import { detectReceivedFormat, type ImageFormat, imageMediaTypes } from "@atelier/kit";
import { detectFormat, InvalidImageError } from "./image-format.ts";

/** The formats of signed files. SVG files are signed as text and never decoded as pixels. */
export type FileFormat = ImageFormat | "svg";

export const fileMediaTypes = {
  ...imageMediaTypes,
  svg: "image/svg+xml",
} as const satisfies Record<FileFormat, string>;

/** The formats that can be inspected: also those that copies of images are often saved in. */
export type InspectedFormat = FileFormat | "avif" | "gif";

export const inspectedMediaTypes = {
  ...fileMediaTypes,
  avif: "image/avif",
  gif: "image/gif",
} as const satisfies Record<InspectedFormat, string>;

/**
 * Detects the format of a file to inspect by its first bytes. GIF: signature and version.
 *
 * @throws InvalidImageError for any other file.
 */
export function detectInspectedFormat(bytes: Uint8Array): InspectedFormat {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 6));
  if (/^GIF8[79]a/.test(head.toString("latin1"))) return "gif";
  if (detectReceivedFormat(bytes) === "avif") return "avif";
  try {
    return detectFileFormat(bytes);
  } catch (cause) {
    if (!(cause instanceof InvalidImageError)) throw cause;
    throw new InvalidImageError("The bytes are not a PNG, JPEG, WebP, AVIF, GIF or SVG image.", {
      cause,
    });
  }
}

/**
 * Detects the format of a file that may carry a manifest, by its first bytes: also SVG, after a byte
 * order mark, an XML declaration, comments and a DOCTYPE.
 *
 * @throws InvalidImageError for any other file.
 */
export function detectFileFormat(bytes: Uint8Array): FileFormat {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_096));
  const text = head.toString("utf8").replace(/^\uFEFF/, "");
  return isSvg(text) ? "svg" : detectFormat(bytes);
}

function isSvg(text: string): boolean {
  let rest = text.trimStart();
  for (;;) {
    const end = ["<?", "<!--", "<!DOCTYPE"].map((start) => [start, closingOf(start)] as const);
    const found = end.find(([start]) => rest.startsWith(start));
    if (found === undefined) return /^<svg[\s>/]/.test(rest);
    const close = rest.indexOf(found[1]);
    if (close === -1) return false;
    rest = rest.slice(close + found[1].length).trimStart();
  }
}

function closingOf(start: string): string {
  if (start === "<?") return "?>";
  return start === "<!--" ? "-->" : ">";
}
