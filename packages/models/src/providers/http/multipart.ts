import { randomUUID } from "node:crypto";

/** A file in a form. */
interface FormFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/**
 * Encodes a `multipart/form-data` body (RFC 7578) as one buffer, so that it is sent with a content
 * length: some servers reject chunked requests. A field may occur more than once. Values are sent
 * byte for byte; the platform's FormData would normalise line breaks.
 */
export function encodeForm(
  fields: readonly (readonly [name: string, value: string | FormFile])[],
): { readonly contentType: string; readonly body: Uint8Array } {
  const boundary = `atelier-${randomUUID()}`;
  const chunks: Uint8Array[] = [];
  for (const [name, value] of fields) {
    const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"`;
    if (typeof value === "string") {
      chunks.push(Buffer.from(`${disposition}\r\n\r\n${value}\r\n`));
    } else {
      const head = `${disposition}; filename="${quote(value.name)}"\r\nContent-Type: ${value.mediaType}`;
      chunks.push(Buffer.from(`${head}\r\n\r\n`), value.bytes, Buffer.from("\r\n"));
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat(chunks),
  };
}

/** A quoted name, escaped as browsers do (WHATWG HTML, 4.10.22.8). */
function quote(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
