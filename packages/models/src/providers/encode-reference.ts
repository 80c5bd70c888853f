import type { ImageFile } from "../provider.ts";

/** Encodes an image as base64. */
export function toBase64({ bytes }: Pick<ImageFile, "bytes">): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Length of `toBase64`'s result in characters, computed without encoding (RFC 4648, section 4). */
export function base64Length({ bytes }: Pick<ImageFile, "bytes">): number {
  return Math.ceil(bytes.byteLength / 3) * 4;
}

/** Encodes an image as a `data:` URL (RFC 2397). */
export function toDataUrl(image: ImageFile): string {
  return `data:${image.mediaType};base64,${toBase64(image)}`;
}
