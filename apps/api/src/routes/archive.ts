import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  findGeneration,
  jobNotFinal,
  jobNotFound,
  type FoundGeneration,
  type Owner,
} from "@atelier/generations";
import { AppError, type archiveQuery } from "@atelier/schemas";
import type { Request, Response } from "express";
import type * as z from "zod";
import { ZipFile } from "yazl";
import type { ApiDependencies } from "../dependencies.ts";
import { listFiles, type ArchivedFile } from "../generations/list-files.ts";
import { readJobId } from "../generations/read-job-id.ts";
import { contextOf } from "../http/context.ts";
import { createConcurrencyLimit } from "../http/limit-concurrency.ts";
import { visibleTo } from "../http/permissions.ts";

/** Each archive in progress holds one image in memory. */
const limits = { total: 8, perAccount: 2 };

/** A client that reads slower than this is disconnected, in milliseconds for the whole archive. */
const sendWithinMs = 300_000;

/** Returns a generation with other images in the places of its own. */
type ReplaceImages = (generation: FoundGeneration, owner: Owner) => Promise<FoundGeneration>;

/**
 * `GET /v1/jobs/{id}/archive`: a ZIP of the images of a completed job in one format. The files are read
 * one after another while the archive is sent.
 *
 * @param replaceImages applied to a completed job; by default the archive has the job's own images.
 */
export function sendArchive(
  { database, storage }: ApiDependencies,
  replaceImages: ReplaceImages = (generation) => Promise.resolve(generation),
) {
  const limit = createConcurrencyLimit(limits);
  return async (
    request: Request,
    response: Response,
    { format }: z.infer<typeof archiveQuery>,
  ): Promise<void> => {
    const { caller } = contextOf(response);
    const generationId = readJobId(request.params["id"]);
    const owner = visibleTo(caller);
    const generation = await findGeneration(database, { ...owner, generationId });
    if (generation === null) throw jobNotFound();
    if (generation.status !== "completed") throw jobNotFinal(generation.status);
    const shown = await replaceImages(generation, owner);
    const files = listFiles(shown, format);
    if (files.length === 0) {
      throw listFiles(shown, "png").length === 0 ? imagesDeleted() : formatNotMade(format);
    }

    const leave = limit.enter(caller.accountId);
    const signal = AbortSignal.timeout(sendWithinMs);
    try {
      const { zip, sizeBytes } = await createArchive(files, generation.createdAt, storage);
      response.type("zip").set({
        "Content-Length": String(sizeBytes),
        "Content-Disposition": `attachment; filename="atelier-${generationId}.zip"`,
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

function formatNotMade(format: string): AppError {
  return new AppError(
    "file_not_found",
    `The images of this job were not made as ${format}. Use format=png, which is always made.`,
  );
}

function imagesDeleted(): AppError {
  return new AppError(
    "file_not_found",
    "The images of this job have been deleted. Generate them again.",
  );
}
