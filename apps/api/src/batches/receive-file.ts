import { forgetParts, storePart } from "@atelier/generations/batches";
import {
  AppError,
  batchRequest,
  maxBatchFileBytes,
  parseRequest,
  type RequestProblem,
} from "@atelier/schemas";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Needs } from "../dependencies.ts";
import { readJson } from "../http/body/read-body.ts";
import { decodeBody, isCompressed } from "../http/body/decode-body.ts";
import { declaredBytes } from "../http/body/receive-body.ts";
import { readParts } from "./read-parts.ts";

/** A received file. */
interface ReceivedFile {
  readonly linesTotal: number;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
}

/** Whether the body of a request is a file of JSON lines. */
export function isJsonLines({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  return ["application/jsonl", "application/x-ndjson"].includes(type.trim());
}

/**
 * Receives a file of JSON lines and stores it as the parts of a batch, as fast as the database takes them. The
 * first line that is not a request ends it. If it fails, its parts are deleted; if the process dies, by the
 * sweep.
 *
 * @param received counts the bytes as they arrive.
 * @throws AppError `request_too_large`, `unsupported_media_type` or `invalid_request` with the number of the
 *   line.
 */
export async function receiveFile(
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  received: { bytes: number },
  { database, logger }: Needs<"database" | "logger">,
): Promise<ReceivedFile> {
  isCompressed(request);
  if ((declaredBytes(request) ?? 0) > maxBatchFileBytes) throw fileTooLarge();
  // RFC 9110, section 10.1.1.
  if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
  const digest = createHash("sha256");

  async function* receive(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of decodeBody(request)) {
        received.bytes += chunk.byteLength;
        if (received.bytes > maxBatchFileBytes) throw fileTooLarge();
        digest.update(chunk);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError("invalid_request", "The file did not arrive whole. Send it again.", {
        cause: error,
      });
    }
  }

  function checkLine(line: Buffer, number: number): void {
    try {
      parseRequest(batchRequest, readJson(line, undefined, number));
    } catch (error) {
      throw error instanceof AppError ? inLine(number, error) : error;
    }
  }

  let linesTotal = 0;
  try {
    for await (const part of readParts(receive(), checkLine)) {
      await storePart(database, id, part);
      linesTotal = part.lastLine;
    }
  } catch (error) {
    await forgetParts(database, id).catch((failure: unknown) => {
      logger.warn({ err: failure, batchId: id }, "parts of a batch remain, left to the sweep");
    });
    throw error;
  }
  return { linesTotal, sizeBytes: received.bytes, sha256: digest.digest() };
}

function fileTooLarge(): AppError {
  return new AppError(
    "request_too_large",
    `The file is larger than ${maxBatchFileBytes / 1_000_000} MB. Send several batches.`,
  );
}

/** The error of a line, with its number. */
function inLine(line: number, error: AppError): AppError {
  const problems = (error.details ?? []) as readonly RequestProblem[];
  return new AppError(error.code, `Line ${line}: ${error.message}`, {
    details: problems.map((problem) => ({ ...problem, line })),
    cause: error,
  });
}
