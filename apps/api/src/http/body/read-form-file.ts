import { AppError } from "@atelier/schemas";
import busboy from "busboy";
import type { IncomingHttpHeaders } from "node:http";
import { setImmediate } from "node:timers/promises";

/** A file, and a few fields that are ignored. */
const maxParts = 8;
/** Part of a body that is parsed before other requests have their turn. */
const sliceBytes = 1_048_576;

/**
 * Returns the only file of a form. Each part costs time and memory, so a form of more than a few is
 * refused at the first part too many.
 *
 * @param body the complete form (multipart/form-data).
 * @throws AppError `invalid_request` for a malformed form, or another number of files.
 */
export async function readFormFile(body: Buffer, headers: IncomingHttpHeaders): Promise<Buffer> {
  const files: Promise<Buffer | null>[] = [];
  try {
    const parser = busboy({ headers, limits: { parts: maxParts, fileSize: body.byteLength } });
    parser.on("file", (_name, stream) => files.push(collect(stream).catch(() => null)));
    // Scanning the rest of thousands of parts would take seconds.
    parser.once("partsLimit", () => parser.destroy(new Error("too many parts")));
    const parsed = new Promise<void>((resolve, reject) => {
      parser.once("close", resolve).once("error", reject);
    });
    parsed.catch(() => undefined);
    for (let at = 0; at < body.length && !parser.destroyed; at += sliceBytes) {
      parser.write(body.subarray(at, at + sliceBytes));
      await setImmediate();
    }
    parser.end();
    await parsed;
  } catch (cause) {
    throw refusal("is not a complete multipart form of at most 8 parts", cause);
  }
  const [file, ...others] = await Promise.all(files);
  if (file == null || others.length > 0) throw refusal("must be a form with exactly one file");
  return file;
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refusal(message: string, cause?: unknown): AppError {
  return new AppError(
    "invalid_request",
    `The body ${message}. Correct it and send the request again.`,
    { details: [{ path: "", code: "invalid_form", message }], cause },
  );
}
