import { AppError } from "@atelier/schemas";
import type { Response } from "express";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { ApiDependencies } from "../../dependencies.ts";
import { contextOf } from "../../http/context.ts";
import { createShares } from "../../http/limits/shares.ts";
import type { ArchivedFile } from "./list-files.ts";

/** Each archive in progress holds one image in memory. */
const limits = { total: 8, perAccount: 2 };

/** A client that reads slower than this is disconnected: for the whole archive, in milliseconds and per byte. */
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
 * Creates a function that sends files as a ZIP. They are read one after another while it is sent.
 *
 * @throws AppError `overloaded` when the account or the process sends too many of these archives.
 */
export function createArchiveSender({ storage }: Pick<ApiDependencies, "storage">) {
  const limit = createShares(limits);
  return async (response: Response, { files, name, time }: Archive): Promise<void> => {
    const leave = limit.take(contextOf(response).caller.accountId);
    try {
      const { zip, sizeBytes } = await createArchive(files, time, storage);
      const signal = AbortSignal.timeout(sendWithinMs + Math.ceil(sizeBytes / slowestBytesPerMs));
      response.type("zip").set({
        "Content-Length": String(sizeBytes),
        "Content-Disposition": `attachment; filename="${name}"`,
      });
      await pipeline(zip, response, { signal });
    } catch (error) {
      // Once the status is sent, a broken connection is the only way to report that it is incomplete.
      if (!response.headersSent) throw error;
      response.destroy();
    } finally {
      leave();
    }
  };
}

/** @returns the archive as a stream, and its size, which is known because images are not compressed. */
function createArchive(
  files: readonly ArchivedFile[],
  time: Date,
  storage: ApiDependencies["storage"],
): Promise<{ readonly zip: Readable; readonly sizeBytes: number }> {
  const archive = new ZipFile();
  const zip = archive.outputStream as Readable;
  archive.on("error", (error: Error) => zip.destroy(error));
  for (const { name, image } of files) {
    const options = { compress: false, size: image.sizeBytes, mtime: time };
    archive.addReadStream(Readable.from(readFile(image.storageKey, storage)), name, options);
  }
  return new Promise((resolve) => {
    const onSize = (sizeBytes: number) => resolve({ zip, sizeBytes });
    // The types lack the parameter.
    archive.end({ forceZip64Format: false, comment: "" }, onSize as () => void);
  });
}

/** Reads a file when the archive has come to it. */
async function* readFile(
  key: string,
  storage: ApiDependencies["storage"],
): AsyncGenerator<Uint8Array> {
  const stored = await storage.get(key);
  if (stored === null) throw imagesDeleted();
  yield stored.bytes;
}

export function imagesDeleted(): AppError {
  return new AppError(
    "file_not_found",
    "The images of this job have been deleted. Generate them again.",
  );
}
