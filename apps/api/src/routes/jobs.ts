import { findGeneration, jobNotFound, presentJob } from "@atelier/generations";
import { listJobsQuery, parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { cancelAndRemove } from "../generations/cancel-and-remove.ts";
import { listPage } from "../generations/list-page.ts";
import { readJobId } from "../generations/read-job-id.ts";
import { signWith } from "../generations/sign.ts";
import { contextOf } from "../http/context.ts";

/** `GET /v1/jobs`: the account's jobs, newest first, in pages that do not shift. */
export function listJobs(dependencies: ApiDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const query = parseRequest(listJobsQuery, request.query);
    const { accountId } = contextOf(response).caller;
    const { page, nextCursor } = await listPage(accountId, query, dependencies);
    const sign = signWith(dependencies);
    response.json({
      jobs: await Promise.all(page.map((generation) => presentJob(generation, sign))),
      next_cursor: nextCursor,
    });
  };
}

/** `GET /v1/jobs/{id}`. */
export function readJob(dependencies: ApiDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const { accountId } = contextOf(response).caller;
    const generationId = readJobId(request.params["id"]);
    const { pipelined } = dependencies.database;
    const generation = await findGeneration(pipelined, { accountId, generationId });
    if (generation === null) throw jobNotFound();
    response.json(await presentJob(generation, signWith(dependencies)));
  };
}

/**
 * `DELETE /v1/jobs/{id}`: cancels a job and answers with it; with 202 a story whose image is being
 * made, which is cancelled after that.
 */
export function cancelJob(dependencies: ApiDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const { requestId, caller } = contextOf(response);
    const { accountId } = caller;
    const generationId = readJobId(request.params["id"]);
    const cancelled = await cancelAndRemove({ accountId, generationId }, requestId, dependencies);
    const generation = await findGeneration(dependencies.database, { accountId, generationId });
    if (generation === null) throw jobNotFound();
    response.status(cancelled ? 200 : 202);
    response.json(await presentJob(generation, signWith(dependencies)));
  };
}
