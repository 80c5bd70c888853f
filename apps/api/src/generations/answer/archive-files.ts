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

/** Time to read an archive in milliseconds, and more by its size. Slower clients are disconnected. */
const sendWithinMs = 300_000;
const slowestBytesPerMs = 1_000;

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
 * @throws AppError `overloaded` when the account or the process sends too many of these archives, or
 *   `file_not_found` when the first file has been deleted.
 */
export function createArchiveSender({ storage, logger }: Needs<"storage" | "logger">) {
  const limit = createShares(limits);
  return async (response: Response, { files, name, time }: Archive): Promise<void> => {
    const { caller, requestId } = contextOf(response);
    const leave = limit.take(caller.accountId);
    let signal: AbortSignal | null = null;
    try {
      const { zip, sizeBytes } = await createArchive(files, time, storage);
      signal = AbortSignal.timeout(sendWithinMs + Math.ceil(sizeBytes / slowestBytesPerMs));
      response.type("zip").set({
        "Content-Length": String(sizeBytes),
        "Content-Disposition": `attachment; filename="${name}"`,
      });
      await pipeline(zip, response, { signal });
    } catch (error) {
      // Once the status is sent, a broken connection is the only way to report that it is incomplete.
      if (!response.headersSent) throw error;
      response.destroy();
      if (signal?.aborted !== true && !isDisconnect(error)) {
        logger.error({ err: error, requestId }, "archive not sent completely");
      }
    } finally {
      leave();
    }
  };
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
    return Readable.from([bytes]);
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
