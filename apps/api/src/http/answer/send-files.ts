import type { FoundImage } from "@atelier/generations/jobs";
import { AppError } from "@atelier/schemas";
import type { Storage } from "@atelier/storage";
import type { Response } from "express";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import type { Shares } from "../limits/shares.ts";

/** Part of a response: text, or a stored file that becomes base64. */
export type Piece = string | Pick<FoundImage, "storageKey" | "sizeBytes">;

/** Memory for files that are being sent, in bytes: of the process, and of one account. */
export const sendingMemory = { total: 96_000_000, perAccount: 48_000_000 };

/** A client that reads slower than this is disconnected, in milliseconds for the whole response. */
const sendWithinMs = 300_000;

/** A multiple of 3, so that each chunk encodes to base64 without padding. */
const chunkBytes = 48 * 1_024;

/** Where the files are, and the memory that they share. */
export interface SendingDependencies {
  readonly storage: Pick<Storage, "get">;
  readonly memory: Shares;
}

/**
 * Sends text and files in base64 as one body. Files are read one after another when the client has come
 * to them, and encoded in chunks between which other requests have their turn, so that the response
 * holds one file in memory, however many it has.
 *
 * @throws AppError `file_not_found` before anything is sent when the first file does not exist. A later
 *   failure closes the connection, so that the client sees a truncated response.
 */
export async function sendPieces(
  response: Response,
  pieces: readonly Piece[],
  options: { readonly accountId: string; readonly type: string; readonly signal: AbortSignal },
  dependencies: SendingDependencies,
): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(sendWithinMs)]);
  const chunks = encode(pieces, { accountId: options.accountId, signal }, dependencies);
  try {
    // Up to the first chunk of a file, which shows that it exists.
    const firstFile = pieces.findIndex((piece) => typeof piece !== "string");
    const start = await readStart(chunks, firstFile + 1);
    const bytes = pieces.reduce((sum, piece) => sum + bytesOf(piece), 0);
    // A stream that was kept open has begun without a length.
    if (!response.headersSent) {
      response.set({ "Content-Type": options.type, "Content-Length": String(bytes) });
    }
    response.locals["isKeptOpen"] = false;
    await pipeline(Readable.from(concat(start, chunks)), response, { signal });
  } catch (error) {
    // The client has disconnected, or the status is sent: nothing more can be reported.
    if (!response.headersSent && !options.signal.aborted) throw error;
    response.destroy();
  } finally {
    await chunks.return(undefined);
  }
}

/** Size of a piece in the body, in bytes. */
function bytesOf(piece: Piece): number {
  return typeof piece === "string" ? Buffer.byteLength(piece) : Math.ceil(piece.sizeBytes / 3) * 4;
}

async function* encode(
  pieces: readonly Piece[],
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
  { storage, memory }: SendingDependencies,
): AsyncGenerator<string> {
  for (const piece of pieces) {
    if (typeof piece === "string") {
      yield piece;
      continue;
    }
    const release = await memory.wait(accountId, piece.sizeBytes, signal);
    try {
      const stored = await storage.get(piece.storageKey);
      if (stored === null) throw filesExpired();
      const { buffer, byteOffset, byteLength } = stored.bytes;
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      for (let at = 0; at < byteLength; at += chunkBytes) {
        yield bytes.toString("base64", at, at + chunkBytes);
        await setImmediate();
      }
    } finally {
      release();
    }
  }
}

async function readStart(chunks: AsyncGenerator<string>, count: number): Promise<string[]> {
  const start: string[] = [];
  while (start.length < count) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    start.push(value);
  }
  return start;
}

async function* concat(start: readonly string[], rest: AsyncGenerator<string>) {
  yield* start;
  yield* rest;
}

/** The error for files that are no longer kept. */
export function filesExpired(): AppError {
  return new AppError(
    "file_not_found",
    "The files of this image have expired. To generate it again, use a new Idempotency-Key.",
  );
}
