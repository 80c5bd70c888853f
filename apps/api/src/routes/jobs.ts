import {
  assertNotArchived,
  deleteImages,
  findGeneration,
  isFinal,
  jobNotFound,
  markImagesRemoved,
} from "@atelier/generations";
import { presentJob, presentJobs } from "@atelier/presentation";
import type { ListJobsQuery } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { withProgress } from "../events/progress.ts";
import { cancelAndRemove } from "../generations/answer/cancel-and-remove.ts";
import { listPage } from "../generations/answer/list-page.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { signWith } from "../generations/answer/sign.ts";
import { withWait } from "../generations/answer/wait-estimates.ts";
import { contextOf, disconnectSignal } from "../http/context.ts";
import { visibleTo } from "../http/permissions.ts";
import { readPreferredWait } from "../http/prefer.ts";

/** `GET /v1/jobs`: the account's jobs, newest first, in pages that later inserts do not shift. */
export function listJobs(dependencies: ApiDependencies) {
  return async (_request: Request, response: Response, query: ListJobsQuery): Promise<void> => {
    const { caller } = contextOf(response);
    const { page, nextCursor } = await listPage(caller, query, dependencies);
    const waits = await dependencies.waits.ofJobs(caller.accountId, page);
    const jobs = await presentJobs(page, signWith(dependencies));
    response.json({
      jobs: jobs.map((job) => withWait(job, waits)),
      next_cursor: nextCursor,
    });
  };
}

/** `GET /v1/jobs/{id}`: a job, with `Prefer: wait=N` once it is final or N seconds are over. */
export function readJob(dependencies: ApiDependencies) {
  const { config, database, waiters } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const owner = visibleTo(contextOf(response).caller);
    const target = { ...owner, generationId: readJobId(request.params["id"]) };
    const waitMs = readPreferredWait(request.get("Prefer"), config.MAX_WAIT_SECONDS * 1_000);
    let generation = await findGeneration(database.pipelined, target);
    if (generation !== null && !isFinal(generation) && waitMs !== null && waitMs > 0) {
      contextOf(response).isHeldOpen = true;
      await waiters.waitFor(target, waitMs, disconnectSignal(request, response));
      generation = await findGeneration(database.pipelined, target);
    }
    if (generation === null) {
      await assertNotArchived(database.pipelined, target);
      throw jobNotFound();
    }
    if (waitMs !== null) response.set("Preference-Applied", `wait=${waitMs / 1_000}`);
    const waits = await dependencies.waits.ofJobs(owner.accountId, [generation]);
    const job = withWait(await presentJob(generation, signWith(dependencies)), waits);
    response.json(withProgress(job, dependencies.progress));
  };
}

/**
 * `DELETE /v1/jobs/{id}`: cancels a job and returns it; with 202 for a story with an image in
 * progress, which is cancelled after that image.
 */
export function cancelJob(dependencies: ApiDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const { requestId, caller } = contextOf(response);
    const target = { ...visibleTo(caller), generationId: readJobId(request.params["id"]) };
    const cancelled = await cancelAndRemove(target, requestId, dependencies);
    const generation = await findGeneration(dependencies.database, target);
    if (generation === null) throw jobNotFound();
    response.status(cancelled ? 200 : 202);
    response.json(await presentJob(generation, signWith(dependencies)));
  };
}

/**
 * `DELETE /v1/jobs/{id}/images`: removes the images of a final job before their retention is over, and
 * returns the job. The sweep removes files that cannot be removed now.
 */
export function deleteJobImages(dependencies: ApiDependencies) {
  const { database, storage, logger } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const { requestId, caller } = contextOf(response);
    const target = { ...visibleTo(caller), generationId: readJobId(request.params["id"]) };
    if ((await findGeneration(database, target)) === null) throw jobNotFound();
    const deleted = await deleteImages(database, target);
    try {
      const failures = await storage.delete(deleted.map(({ storageKey }) => storageKey));
      const failed = new Set(failures.map(({ key }) => key));
      await markImagesRemoved(
        database,
        deleted.filter(({ storageKey }) => !failed.has(storageKey)),
      );
    } catch (error) {
      logger.warn({ err: error, requestId }, "deleted images remain, left to the sweep");
    }
    const generation = await findGeneration(database, target);
    if (generation === null) throw jobNotFound();
    response.json(await presentJob(generation, signWith(dependencies)));
  };
}

const metadataPrefix = "metadata.";

/** Collects the parameters `metadata.<name>` of a query in one object. */
export function readMetadataFilters(query: Request["query"]): object {
  const parameters = Object.entries(query);
  const isPair = ([name]: readonly [string, unknown]) => name.startsWith(metadataPrefix);
  const pairs = parameters.filter(isPair);
  if (pairs.length === 0) return query;
  const metadata = pairs.map(([name, value]) => [name.slice(metadataPrefix.length), value]);
  return {
    ...Object.fromEntries(parameters.filter((parameter) => !isPair(parameter))),
    metadata: Object.fromEntries(metadata),
  };
}
