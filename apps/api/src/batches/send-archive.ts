import type { Batch } from "@atelier/generations/batches";
import { AppError, maxBatchLines, type batchArchiveQuery } from "@atelier/schemas";
import type { Response } from "express";
import type * as z from "zod";
import type { Needs } from "../dependencies.ts";
import { createArchiveSender } from "../generations/answer/archive-files.ts";
import { listFiles, type ArchivedFile } from "../generations/answer/list-files.ts";
import { readLines } from "./send-results.ts";

type ArchiveQuery = z.infer<typeof batchArchiveQuery>;

/** Creates a function that sends the images of some lines of a batch as a ZIP. */
export function createBatchArchiveSender(dependencies: Needs<"database" | "logger" | "storage">) {
  const send = createArchiveSender(dependencies);
  return async (
    response: Response,
    batch: Batch,
    query: ArchiveQuery,
    charge: () => Promise<void>,
  ): Promise<void> => {
    const files: ArchivedFile[] = [];
    const range = { afterLine: query.after_line, limit: query.limit };
    for await (const taken of readLines(batch, range, charge, dependencies)) {
      if (!("generation" in taken) || taken.generation.status !== "completed") continue;
      for (const { name, image } of listFiles(taken.generation, query.format)) {
        files.push({ name: `${folderOf(taken.line)}/${name}`, image });
      }
    }
    if (files.length === 0) throw noImages(query);
    await send(response, { files, name: `atelier-${batch.id}.zip`, time: batch.createdAt });
  };
}

/** The number of a line, with zeros, so that the order of names is the order of lines. */
function folderOf(line: number): string {
  return String(line).padStart(String(maxBatchLines).length, "0");
}

function noImages({ after_line, limit, format }: ArchiveQuery): AppError {
  return new AppError(
    "file_not_found",
    `Lines ${after_line + 1} to ${after_line + limit} of this batch have no images as ${format}. GET /v1/batches/{id}/results says how they ended.`,
  );
}
