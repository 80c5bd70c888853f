import { jobNotFound } from "@atelier/generations/endings";
import { findGeneration, type FoundGeneration, type Owner } from "@atelier/generations/jobs";
import { jobNotFinal } from "@atelier/generations/retention";
import { AppError, type archiveQuery, type ImageFormat } from "@atelier/schemas";
import type { Request, Response } from "express";
import type * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { createArchiveSender, imagesDeleted } from "../generations/answer/archive-files.ts";
import { isPageImage, listPageFiles, readPages } from "../generations/answer/book-pages.ts";
import { listFiles, type ArchivedFile } from "../generations/answer/list-files.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { contextOf } from "../http/context.ts";
import { visibleTo } from "../http/permissions.ts";

/** Returns the files of a completed job by their format. */
type FindFiles = (
  generation: FoundGeneration,
  owner: Owner,
) => Promise<(format: ImageFormat) => readonly ArchivedFile[]>;

/**
 * `GET /v1/jobs/{id}/archive`: a ZIP of the images of a completed job in one format.
 *
 * @param findFiles by default, those of the job's book if that has pages, else the job's own.
 */
export function sendArchive(
  dependencies: ApiDependencies,
  findFiles: FindFiles = findBookFiles(dependencies),
) {
  const send = createArchiveSender(dependencies);
  return async (
    request: Request,
    response: Response,
    { format }: z.infer<typeof archiveQuery>,
  ): Promise<void> => {
    const generationId = readJobId(request.params["id"]);
    const owner = visibleTo(contextOf(response).caller);
    const generation = await findGeneration(dependencies.database, { ...owner, generationId });
    if (generation === null) throw jobNotFound();
    if (generation.status !== "completed") throw jobNotFinal(generation.status);
    const list = await findFiles(generation, owner);
    const files = list(format);
    if (files.length === 0) {
      throw list("png").length === 0 ? imagesDeleted() : formatNotMade(format);
    }
    const name = `atelier-${generationId}.zip`;
    await send(response, { files, name, time: generation.createdAt });
  };
}

/** Finds the files of a job: in the order and choice of its book, if that has pages. */
function findBookFiles({ database }: Pick<ApiDependencies, "database">): FindFiles {
  return async (generation, owner) => {
    const pages = readPages(generation);
    if (pages === null) return (format) => listFiles(generation, format);
    const ids = new Set(pages.flatMap(({ jobId }) => (jobId === null ? [] : [jobId])));
    const chosen = new Map<string, FoundGeneration>();
    // At most as many as a story has scenes.
    for (const generationId of ids) {
      const job = await findGeneration(database, { ...owner, generationId });
      if (job !== null && isPageImage(job)) chosen.set(job.id, job);
    }
    return (format) => listPageFiles(generation, pages, chosen, format);
  };
}

function formatNotMade(format: string): AppError {
  return new AppError(
    "file_not_found",
    `The images of this job were not made as ${format}. Use format=png, which is always made.`,
  );
}
