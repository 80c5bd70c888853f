import { findGeneration, jobNotFound, listGenerations, presentJob } from "@atelier/generations";
import { AppError, jobId, listJobsQuery, parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { cancelAndRemove } from "../generations/cancel-and-remove.ts";
import { signWith } from "../generations/sign.ts";
import { contextOf } from "../http/context.ts";

/** `GET /v1/jobs`: the account's jobs, newest first, in pages that do not shift. */
export function listJobs(dependencies: ApiDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const { limit, cursor, status, kind } = parseRequest(listJobsQuery, request.query);
    const { accountId } = contextOf(response).caller;
    const beforeId = cursor === undefined ? null : readCursor(cursor);
    const found = await listGenerations(dependencies.database, {
      accountId,
      beforeId,
      limit,
      status,
      kind,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const sign = signWith(dependencies);
    response.json({
      jobs: await Promise.all(page.map((generation) => presentJob(generation, sign))),
      next_cursor: found.length > limit && last !== undefined ? makeCursor(last.id) : null,
    });
  };
}

/** `GET /v1/jobs/{id}`. */
export function readJob(dependencies: ApiDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const { accountId } = contextOf(response).caller;
    const generationId = readJobId(request);
    const generation = await findGeneration(dependencies.database, { accountId, generationId });
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
    const generationId = readJobId(request);
    const cancelled = await cancelAndRemove({ accountId, generationId }, requestId, dependencies);
    const generation = await findGeneration(dependencies.database, { accountId, generationId });
    if (generation === null) throw jobNotFound();
    response.status(cancelled ? 200 : 202);
    response.json(await presentJob(generation, signWith(dependencies)));
  };
}

/** What is not a UUID is not the id of any job. */
function readJobId(request: Request): string {
  const parsed = jobId.safeParse(request.params["id"]);
  if (!parsed.success) throw jobNotFound();
  return parsed.data;
}

function makeCursor(lastId: string): string {
  return Buffer.from(lastId).toString("base64url");
}

function readCursor(cursor: string): string {
  const parsed = jobId.safeParse(Buffer.from(cursor, "base64url").toString());
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_request", "cursor must be a next_cursor of an earlier page.", {
    details: [{ path: "cursor", code: "invalid_format", message: "not a cursor" }],
  });
}
