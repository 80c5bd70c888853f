import { AppError, maxUploadBytes } from "@atelier/schemas";
import busboy from "busboy";
import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isCompressed } from "./decode-body.ts";
import { declaredBytes, readChunks } from "./receive-body.ts";
import { uploadTooLarge } from "./receive-upload.ts";

/** Maximum size of a body with several images, in bytes. */
export const maxImagesBytes = 40_000_000;

/** Parts of a form. A prompt has at most 32,000 characters, each of up to 4 bytes. */
const limits = { files: 18, fields: 40, parts: 58, fieldSize: 131_072, fileSize: maxUploadBytes };

/** A request with images whose body is being received. */
export interface Receiving {
  receivedBytes: number;
  /**
   * Checks that a body can be received, and reserves what it needs.
   *
   * @param bytes the most bytes that it has.
   * @param isDeclared whether its headers say so; the size of a chunked or compressed body is unknown.
   */
  prepare(bytes: number, isDeclared: boolean): Promise<void>;
}

/** A form with text fields and images. */
export interface ReceivedForm {
  /** The text of each field; of a repeated name, the first. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
}

/** A file of a form. */
export interface FormFile {
  /** The name of its field. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/**
 * Receives a form in one pass: only its files and fields are kept in memory, not the body. Stops at the
 * first part that exceeds a limit.
 *
 * @param receiving.prepare called with the size of a form before any of it is read.
 * @param receiving.receivedBytes counts what was received, also when the form is refused.
 * @throws AppError `unsupported_media_type`, `request_too_large`, or `invalid_request` for a malformed or incomplete form.
 */
export async function receiveForm(
  request: IncomingMessage,
  response: ServerResponse,
  receiving: Receiving,
  maxBytes = maxImagesBytes,
): Promise<ReceivedForm> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw new AppError("unsupported_media_type", "Send the request as multipart/form-data.");
  }
  const declared = isCompressed(request) ? null : declaredBytes(request);
  if (declared !== null && declared > maxBytes) throw formTooLarge(maxBytes);
  await receiving.prepare(declared ?? maxBytes, declared !== null);
  const form = createParser(request.headers, maxBytes);
  try {
    for await (const chunk of readChunks(request, response)) {
      receiving.receivedBytes += chunk.byteLength;
      if (receiving.receivedBytes > maxBytes) throw formTooLarge(maxBytes);
      form.parser.write(chunk);
      form.assertWithinLimits();
    }
    form.parser.end();
    await form.parsed;
    form.assertWithinLimits();
  } catch (error) {
    form.parser.destroy();
    throw error instanceof AppError ? error : malformed(error);
  }
  return form.read();
}

function createParser(headers: IncomingMessage["headers"], maxBytes: number) {
  const parser = startParser(headers);
  const fields = new Map<string, string>();
  const files: { readonly name: string; readonly chunks: Buffer[]; readonly digest: Hash }[] = [];
  let problem: AppError | null = null;
  parser.on("field", (name, value, { valueTruncated }) => {
    if (valueTruncated) problem ??= formTooLarge(maxBytes);
    if (!fields.has(name)) fields.set(name, value);
  });
  parser.on("file", (name, stream) => {
    const chunks: Buffer[] = [];
    const digest = createHash("sha256");
    files.push({ name, chunks, digest });
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      digest.update(chunk);
    });
    stream.on("limit", () => (problem ??= uploadTooLarge(name)));
    // An incomplete file is also an error of the parser.
    stream.on("error", () => undefined);
  });
  for (const event of ["filesLimit", "fieldsLimit", "partsLimit"] as const) {
    parser.on(event, () => (problem ??= tooManyParts()));
  }
  const parsed = once(parser, "close");
  parsed.catch(() => undefined);
  return {
    parser,
    parsed,
    assertWithinLimits() {
      if (problem !== null) throw problem;
    },
    read: (): ReceivedForm => ({
      fields: Object.fromEntries(fields),
      files: files.map(({ name, chunks, digest }) => ({
        name,
        bytes: Buffer.concat(chunks),
        sha256: digest.digest("hex"),
      })),
    }),
  };
}

function startParser(headers: IncomingMessage["headers"]) {
  try {
    return busboy({ headers, limits });
  } catch (cause) {
    throw malformed(cause);
  }
}

function malformed(cause: unknown): AppError {
  return new AppError(
    "invalid_request",
    "The body is not a complete multipart form. Correct it and send the request again.",
    { cause },
  );
}

function tooManyParts(): AppError {
  return new AppError(
    "invalid_request",
    `The form has more than ${limits.files} files or ${limits.fields} fields. Send fewer.`,
  );
}

function formTooLarge(maxBytes: number): AppError {
  return new AppError(
    "request_too_large",
    `The form is larger than ${Math.floor(maxBytes / 1_000_000)} MB, or one of its texts is too long. Send less.`,
  );
}
