import type { ProviderReference } from "../provider.ts";

/** A reference as base64. */
export function toBase64({ bytes }: ProviderReference): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** How many characters `toBase64` would make of a reference (RFC 4648, section 4). */
export function base64Length({ bytes }: ProviderReference): number {
  return Math.ceil(bytes.byteLength / 3) * 4;
}

/** A reference as a `data:` URL (RFC 2397). */
export function toDataUrl(reference: ProviderReference): string {
  return `data:${reference.mediaType};base64,${toBase64(reference)}`;
}
