import { randomUUID } from "node:crypto";

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/**
 * A body of `multipart/form-data` (RFC 7578), whole, so that it is sent with its length: not every
 * server takes a chunked one. A field may occur more than once. Values arrive as they are, to the last
 * line break, which the platform's own FormData would change.
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

/** A name within quotes, escaped as browsers do (WHATWG HTML, 4.10.22.8). */
function quote(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
