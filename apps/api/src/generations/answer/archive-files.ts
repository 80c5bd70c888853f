import { AppError } from "@atelier/schemas";
import type { Response } from "express";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { ApiDependencies, Needs } from "../../dependencies.ts";
import { isDisconnect } from "../../http/answer/is-disconnect.ts";
import { contextOf } from "../../http/context.ts";
import { createShares } from "../../http/limits/shares.ts";
import type { ArchivedFile } from "./list-files.ts";

/** Each archive in progress holds one image in memory. */
const limits = { total: 8, perAccount: 2 };

/** How slowly a client may read an archive. */
export interface Pace {
  /** Time in which it may read as slowly as it wants, in milliseconds. */
  readonly freeMs: number;
  /** Then, it is disconnected when it reads less than `bytesPerMs` in an interval of this length. */
  readonly everyMs: number;
  readonly bytesPerMs: number;
}

const slowestPace: Pace = { freeMs: 300_000, everyMs: 30_000, bytesPerMs: 1_000 };

/** Images are sent in parts, so that what a client has read is known exactly enough. */
const partBytes = 65_536;

interface Archive {
  readonly files: readonly ArchivedFile[];
  /** Name of the ZIP file. */
  readonly name: string;
  /** Time of its files. */
  readonly time: Date;
}

/**
 * Creates a function that sends files as a ZIP. The first is read before the response begins, the others one after
 * another while it is sent.
 *
 * @param pace the slowest one of a client that stays connected.
 * @throws AppError `overloaded` when the account or the process sends too many of these archives, or
 *   `file_not_found` when the first file has been deleted.
 */
export function createArchiveSender(
  { storage, logger }: Needs<"storage" | "logger">,
  pace: Pace = slowestPace,
) {
  const limit = createShares(limits);
  return async (response: Response, { files, name, time }: Archive): Promise<void> => {
    const { caller, requestId } = contextOf(response);
    const leave = limit.take(caller.accountId);
    const slow = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      const { zip, sizeBytes } = await createArchive(files, time, storage);
      response.type("zip").set({
        "Content-Length": String(sizeBytes),
        "Content-Disposition": `attachment; filename="${name}"`,
      });
      timer = watchPace(response, pace, () => slow.abort());
      await pipeline(zip, response, { signal: slow.signal });
    } catch (error) {
      // Once the status is sent, a broken connection is the only way to report that it is incomplete.
      if (!response.headersSent) throw error;
      response.destroy();
      if (!slow.signal.aborted && !isDisconnect(error)) {
        logger.error({ err: error, requestId }, "archive not sent completely");
      }
    } finally {
      clearInterval(timer);
      leave();
    }
  };
}

/** Calls a function when a client reads a response too slowly. Waiting for the storage does not count. */
function watchPace(
  response: Response,
  { freeMs, everyMs, bytesPerMs }: Pace,
  onSlow: () => void,
): NodeJS.Timeout {
  let elapsedMs = 0;
  let earlierBytes = 0;
  return setInterval(() => {
    const sentBytes = response.socket?.bytesWritten ?? 0;
    const isBehind = response.writableNeedDrain || response.writableEnded;
    const isSlow = isBehind && sentBytes - earlierBytes < bytesPerMs * everyMs;
    if (elapsedMs >= freeMs && isSlow) onSlow();
    earlierBytes = sentBytes;
    elapsedMs += everyMs;
  }, everyMs);
}

function* divide(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

/**
 * @returns the archive as a stream, and its size, which is known because images are not compressed.
 * @throws AppError `file_not_found` when the first file has been deleted.
 */
async function createArchive(
  files: readonly ArchivedFile[],
  time: Date,
  storage: ApiDependencies["storage"],
): Promise<{ readonly zip: Readable; readonly sizeBytes: number }> {
  const [first] = files;
  let firstBytes = first === undefined ? null : await readFile(first, storage);
  async function open(file: ArchivedFile): Promise<Readable> {
    const bytes = firstBytes ?? (await readFile(file, storage));
    firstBytes = null;
    return Readable.from(divide(bytes), { objectMode: false });
  }
  const archive = new ZipFile();
  const zip = archive.outputStream as Readable;
  archive.on("error", (error: Error) => zip.destroy(error));
  for (const file of files) {
    const options = { compress: false, size: file.image.sizeBytes, mtime: time };
    // The archive handles errors of opening a stream. Those of the stream itself would end the process.
    archive.addReadStreamLazy(file.name, options, (onOpen) => {
      void open(file).then(
        (stream) => onOpen(null, stream),
        (error: unknown) => onOpen(error, Readable.from([])),
      );
    });
  }
  return new Promise((resolve) => {
    const onSize = (sizeBytes: number) => resolve({ zip, sizeBytes });
    // The types lack the parameter.
    archive.end({ forceZip64Format: false, comment: "" }, onSize as () => void);
  });
}

async function readFile(
  { image }: ArchivedFile,
  storage: ApiDependencies["storage"],
): Promise<Uint8Array> {
  const stored = await storage.get(image.storageKey);
  if (stored === null) throw imagesDeleted();
  return stored.bytes;
}

export function imagesDeleted(): AppError {
  return new AppError(
    "file_not_found",
    "The images of this job have been deleted. Generate them again.",
  );
}
