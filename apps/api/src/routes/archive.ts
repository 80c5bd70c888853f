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
import type { ApiDependencies } from "../dependencies.ts";
import { createArchiveSender, imagesDeleted } from "../generations/archive-files.ts";
import { listFiles } from "../generations/list-files.ts";
import { readJobId } from "../generations/read-job-id.ts";
import { contextOf } from "../http/context.ts";
import { visibleTo } from "../http/permissions.ts";

/** Returns a generation with other images in the places of its own. */
type ReplaceImages = (generation: FoundGeneration, owner: Owner) => Promise<FoundGeneration>;

/**
 * `GET /v1/jobs/{id}/archive`: a ZIP of the images of a completed job in one format.
 *
 * @param replaceImages applied to a completed job; by default the archive has the job's own images.
 */
export function sendArchive(
  dependencies: ApiDependencies,
  replaceImages: ReplaceImages = (generation) => Promise.resolve(generation),
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
    const shown = await replaceImages(generation, owner);
    const files = listFiles(shown, format);
    if (files.length === 0) {
      throw listFiles(shown, "png").length === 0 ? imagesDeleted() : formatNotMade(format);
    }
    const name = `atelier-${generationId}.zip`;
    await send(response, { files, name, time: generation.createdAt });
  };
}

function formatNotMade(format: string): AppError {
  return new AppError(
    "file_not_found",
    `The images of this job were not made as ${format}. Use format=png, which is always made.`,
  );
}
