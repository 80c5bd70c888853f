import { AppError, maxUploadBytes } from "@atelier/schemas";
import busboy from "busboy";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { declaredBytes } from "./receive-body.ts";

/** Maximum size of a form with several images, in bytes. */
export const maxFormBytes = 40_000_000;

/** Parts of a form. A prompt has at most 32,000 characters, each of up to 4 bytes. */
const limits = { files: 8, fields: 40, parts: 48, fieldSize: 131_072, fileSize: maxUploadBytes };

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
}

/** Size of a form by its headers; the maximum for a chunked one. */
export function formBytes(request: Pick<IncomingMessage, "headers">): number {
  return declaredBytes(request) ?? maxFormBytes;
}

/**
 * Receives a form in one pass: only its files and fields are kept in memory, not the body. Stops at the
 * first part that exceeds a limit.
 *
 * @param progress counts the bytes that were received, also when the form is refused.
 * @throws AppError `unsupported_media_type`, `request_too_large`, or `invalid_request` for a malformed or incomplete form.
 */
export async function receiveForm(
  request: IncomingMessage,
  response: ServerResponse,
  progress: { receivedBytes: number },
): Promise<ReceivedForm> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw new AppError("unsupported_media_type", "Send the request as multipart/form-data.");
  }
  if (formBytes(request) > maxFormBytes) throw formTooLarge();
  const form = createParser(request.headers);
  // RFC 9110, section 10.1.1.
  if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
  try {
    for await (const chunk of request.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      progress.receivedBytes += chunk.byteLength;
      if (progress.receivedBytes > maxFormBytes) throw formTooLarge();
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

function createParser(headers: IncomingMessage["headers"]) {
  const parser = startParser(headers);
  const fields = new Map<string, string>();
  const files: { readonly name: string; readonly chunks: Buffer[] }[] = [];
  let problem: AppError | null = null;
  parser.on("field", (name, value, { valueTruncated }) => {
    if (valueTruncated) problem ??= formTooLarge();
    if (!fields.has(name)) fields.set(name, value);
  });
  parser.on("file", (name, stream) => {
    const chunks: Buffer[] = [];
    files.push({ name, chunks });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("limit", () => (problem ??= fileTooLarge(name)));
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
      files: files.map(({ name, chunks }) => ({ name, bytes: Buffer.concat(chunks) })),
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

function fileTooLarge(name: string): AppError {
  const path = name.slice(0, 100);
  const message = `is larger than ${maxUploadBytes / 1_000_000} MB`;
  return new AppError("request_too_large", `${path} ${message}. Send a smaller image.`, {
    details: [{ path, code: "request_too_large", message }],
  });
}

function formTooLarge(): AppError {
  return new AppError(
    "request_too_large",
    `The form is larger than ${maxFormBytes / 1_000_000} MB, or one of its texts is too long. Send less.`,
  );
}
