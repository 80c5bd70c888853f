import { jobNotFound } from "@atelier/generations/endings";
import {
  findGeneration,
  findGenerations,
  type FoundGeneration,
  type Owner,
} from "@atelier/generations/jobs";
import { jobNotFinal } from "@atelier/generations/retention";
import {
  AppError,
  archiveJobsRequest,
  invalidRequest,
  maxArchiveBytes,
  parseRequest,
  type archiveQuery,
  type ImageFormat,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type * as z from "zod";
import type { Needs } from "../dependencies.ts";
import { createArchiveSender, imagesDeleted } from "../generations/answer/archive-files.ts";
import { isPageImage, listPageFiles, readPages } from "../generations/answer/book-pages.ts";
import { listFiles, listFilesOrPng, type ArchivedFile } from "../generations/answer/list-files.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { contextOf } from "../http/context.ts";
import { chargeWork } from "../http/limits/rate-limit.ts";
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
  dependencies: Needs<"database" | "logger" | "storage">,
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
function findBookFiles({ database }: Needs<"database">): FindFiles {
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

/** Jobs that are read and held in memory at once. */
const pageSize = 100;

/** `POST /v1/jobs/archive`: a ZIP of the images of several jobs in one format. */
export function sendJobsArchive(
  dependencies: Needs<"admissions" | "database" | "logger" | "storage">,
) {
  const send = createArchiveSender(dependencies);
  return async (request: Request, response: Response): Promise<void> => {
    const { job_ids: given, format } = parseRequest(archiveJobsRequest, request.body);
    const ids = [...new Set(given)];
    const owner = visibleTo(contextOf(response).caller);
    const files: ArchivedFile[] = [];
    for (let at = 0; at < ids.length; at += pageSize) {
      if (at > 0) await chargeWork(response, 1, dependencies);
      const page = ids.slice(at, at + pageSize);
      const found = await findGenerations(dependencies.database, page, owner);
      for (const [index, id] of page.entries()) {
        const generation = found.get(id);
        if (generation === undefined) {
          throw new AppError("job_not_found", `Job ${id} of job_ids does not exist. Leave it out.`);
        }
        files.push(...namedFiles(generation, at + index + 1, format));
      }
    }
    if (files.length === 0) {
      throw new AppError(
        "file_not_found",
        "None of these jobs has images: they made none, or their images have been deleted.",
      );
    }
    const bytes = files.reduce((sum, { image }) => sum + image.sizeBytes, 0);
    if (bytes > maxArchiveBytes) {
      const message = `must name jobs whose images are at most ${gigabytes(maxArchiveBytes)} GB together; these are ${gigabytes(bytes)} GB`;
      throw invalidRequest({ path: "job_ids", code: "too_large", message });
    }
    await send(response, { files, name: "atelier-images.zip", time: new Date() });
  };
}

/** The files of a completed job under the position of the job and the first words of its title or prompt. */
function namedFiles(
  generation: FoundGeneration,
  position: number,
  format: ImageFormat,
): readonly ArchivedFile[] {
  if (generation.status !== "completed") return [];
  const { note, title, prompt } = generation;
  const words = (note?.title ?? title ?? prompt ?? "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const number = String(position).padStart(3, "0");
  // Code points, so that no pair is cut.
  const parts = (/^.{0,48}/su.exec(words)?.[0] ?? "").split("-");
  const name = [number, ...parts.filter((part) => part !== "")].join("-");
  const files = listFilesOrPng(generation, format);
  return files.map(({ name: own, image }) => ({
    name: generation.rendersTotal > 1 ? `${name}/${own}` : own.replace(/^[^.]*/, name),
    image,
  }));
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
