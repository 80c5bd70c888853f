import type { ProviderReference } from "../provider.ts";

/** A reference as base64. */
export function toBase64({ bytes }: ProviderReference): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** A reference as a `data:` URL (RFC 2397). */
export function toDataUrl(reference: ProviderReference): string {
  return `data:${reference.mediaType};base64,${toBase64(reference)}`;
}
