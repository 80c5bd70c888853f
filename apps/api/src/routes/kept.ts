import type { Caller } from "@atelier/accounts";
import {
  findGeneration,
  jobNotFound,
  keepJob,
  listKept,
  readKeptUsage,
  releaseJob,
} from "@atelier/generations";
import { presentJob } from "@atelier/presentation";
import { listKeptQuery, quotaOf, type KeptList } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { keepQuota } from "../generations/accept/keep-quota.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { signWith } from "../generations/answer/sign.ts";
import { contextOf } from "../http/context.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import { visibleTo } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";

/** `/v1/jobs/{id}/keep` and `/v1/kept`: images that stay until they are deleted. */
export function serveKept(routes: Routes, dependencies: ApiDependencies): void {
  const { config, database, accountGate } = dependencies;
  const quotaBytes = keepQuota(config);
  const changing = { limit: "other", scope: "generate" } as const;

  type Change = (caller: Caller, target: Parameters<typeof keepJob>[2]) => Promise<void>;

  /** Changes whether a job is kept, and responds with the job. */
  const change = (apply: Change) => async (request: Request, response: Response) => {
    const { caller } = contextOf(response);
    const owner = visibleTo(caller);
    const generationId = readJobId(request.params["id"]);
    await accountGate.run(caller.accountId, () =>
      apply(caller, { owner, generationId, quotaBytes }),
    );
    const generation = await findGeneration(database, { ...owner, generationId });
    if (generation === null) throw jobNotFound();
    response.json(await presentJob(generation, signWith(dependencies)));
  };

  routes.post(
    "/jobs/:id/keep",
    changing,
    change((caller, target) => keepJob(database, caller, target)),
  );
  routes.delete(
    "/jobs/:id/keep",
    changing,
    change((caller, target) => releaseJob(database, caller, target)),
  );

  const listing = { limit: "other", scope: "read", query: listKeptQuery } as const;
  routes.get("/kept", listing, async (_request, response, { limit, cursor }) => {
    const { caller } = contextOf(response);
    const { accountId, mode } = visibleTo(caller);
    const beforeId = readCursor(cursor);
    const found = await listKept(database, { accountId, mode, beforeId, limit: limit + 1 });
    const { page, nextCursor } = splitPage(found, limit);
    response.json({
      used_bytes: await readKeptUsage(database, caller),
      quota_bytes: quotaOf(caller.mode, quotaBytes),
      kept: page.map(({ id, status, sizeBytes, createdAt }) => ({
        job_id: id,
        status,
        size_bytes: sizeBytes,
        kept_since: createdAt.toISOString(),
      })),
      next_cursor: nextCursor,
    } satisfies KeptList);
  });
}
