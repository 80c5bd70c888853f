import type { Request } from "express";

/** An encoding of bodies that responses are compressed with. */
export type Encoding = "br" | "gzip";

/** Chooses Brotli, or else gzip, if the client accepts it; null for a body that is not compressed. */
export function acceptedEncoding(request: Request): Encoding | null {
  const accepts = (encoding: Encoding) =>
    request.acceptsEncodings(encoding, "identity") === encoding;
  if (accepts("br")) return "br";
  return accepts("gzip") ? "gzip" : null;
}
