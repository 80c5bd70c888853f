/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/**
 * A body of `multipart/form-data` (RFC 7578), whole, so that it is sent with its length: not every
 * server takes a chunked one. A field may occur more than once.
 */
export async function encodeForm(
  fields: readonly (readonly [name: string, value: string | FormFile])[],
): Promise<{ readonly contentType: string; readonly body: Uint8Array }> {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === "string") form.append(name, value);
    else
      form.append(
        name,
        new Blob([Buffer.from(value.bytes)], { type: value.mediaType }),
        value.name,
      );
  }
  const encoded = new Response(form);
  return {
    contentType: encoded.headers.get("content-type") ?? "",
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}
