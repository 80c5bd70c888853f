import { AppError } from "@atelier/schemas";
import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeBody, isCompressed } from "./decode-body.ts";

/** Maximum size of a body, in bytes. */
export const maxBodyBytes = 1_048_576;

/** Size of a body by its `Content-Length`; null for a chunked body. */
export function declaredBytes({ headers }: Pick<IncomingMessage, "headers">): number | null {
  if (headers["transfer-encoding"] !== undefined) return null;
  return Number(headers["content-length"] ?? 0);
}

/**
 * Reads a body. Reads nothing of a body whose declared size is too large, and never sends its client
 * `100 Continue`.
 *
 * @param maxBytes maximum size, also of a compressed body after decompression; 1 MB by default.
 * @param onBytes called with the bytes of a compressed body so far; it may throw.
 * @throws AppError `request_too_large`, or `invalid_request` when the body ends early.
 */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes = maxBodyBytes,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  if ((declaredBytes(request) ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // RFC 9110, section 10.1.1.
  if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
  // The client disconnected while its key was looked up; no more events will follow.
  if (request.destroyed) throw incomplete();
  if (isCompressed(request)) return receiveCompressed(request, maxBytes, onBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    function take(chunk: Buffer): void {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes > maxBytes) stop(() => reject(tooLarge(maxBytes)));
    }
    const end = () => stop(() => resolve(Buffer.concat(chunks, bytes)));
    const breakOff = () => stop(() => reject(incomplete()));
    function stop(settle: () => void): void {
      request.pause();
      request.off("data", take).off("end", end).off("close", breakOff).off("error", breakOff);
      settle();
    }
    request.on("data", take).on("end", end).on("close", breakOff).on("error", breakOff);
    request.resume();
  });
}

async function receiveCompressed(
  request: IncomingMessage,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decodeBody(request)) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      onBytes(bytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof AppError ? error : incomplete(error);
  }
  return Buffer.concat(chunks, bytes);
}

/** The error for a body that is too large. */
export function tooLarge(maxBytes: number): AppError {
  const size = maxBytes < maxBodyBytes ? `${maxBytes} bytes` : `${maxBytes / maxBodyBytes} MB`;
  const advice =
    maxBytes === maxBodyBytes ? "Send less, and images to POST /v1/uploads." : "Send less.";
  return new AppError("request_too_large", `The body is larger than ${size}. ${advice}`);
}

/** The error for a body that ends early because its client disconnected. */
export function incomplete(cause?: unknown): AppError {
  return new AppError("invalid_request", "The body is incomplete. Send it again.", { cause });
}

/**
 * Reads a body in parts, decompressed, and asks its client for it first.
 *
 * @throws AppError `invalid_request` when it ends early, and those of `decodeBody`.
 */
export async function* readChunks(
  request: IncomingMessage,
  response: ServerResponse,
): AsyncGenerator<Buffer, void> {
  // RFC 9110, section 10.1.1.
  if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
  try {
    yield* decodeBody(request);
  } catch (error) {
    throw error instanceof AppError ? error : incomplete(error);
  }
}
