import busboy from "busboy";
import type { ProtocolCall } from "./protocol-server.ts";

/** One part of a form. */
export interface FormPart {
  readonly name: string;
  /** The file name; null for plain fields. */
  readonly fileName: string | null;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** Parses a multipart/form-data request into its parts, in order; null for another content type. */
export async function readForm(call: ProtocolCall): Promise<readonly FormPart[] | null> {
  if (!/^multipart\/form-data; *boundary=/.test(call.headers["content-type"] ?? "")) return null;
  const parts: FormPart[] = [];
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  const parser = busboy({ headers: call.headers, limits: { fieldSize: 1024 * 1024 } });
  parser.on("field", (name, value, { mimeType }) => {
    parts.push({ name, fileName: null, mediaType: mimeType, bytes: Buffer.from(value) });
  });
  parser.on("file", (name, stream, { filename, mimeType }) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      parts.push({
        name,
        fileName: filename ?? "",
        mediaType: mimeType,
        bytes: Buffer.concat(chunks),
      });
    });
  });
  parser.on("close", resolve);
  parser.on("error", reject);
  parser.end(call.body);
  await promise;
  return parts;
}
