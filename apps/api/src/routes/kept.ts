import type { Caller } from "@atelier/accounts";
import { jobNotFound } from "@atelier/generations/endings";
import { findGeneration } from "@atelier/generations/jobs";
import { keepJob, listKept, readKeptUsage, releaseJob } from "@atelier/generations/library";
import { presentJob } from "@atelier/presentation";
import { quotaOf } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import { keepQuota } from "../generations/accept/keep-quota.ts";
import { signWith } from "../generations/answer/sign.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import { visibleTo } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";

/** `/v1/jobs/{id}/keep` and `/v1/kept`: images that stay until they are deleted. */
export function serveKept(
  routes: Routes,
  dependencies: Needs<"accountGate" | "config" | "database" | "storage">,
): void {
  const { config, database, accountGate } = dependencies;
  const quotaBytes = keepQuota(config);
  const options = { notFound: jobNotFound };

  /** Changes whether a job is kept, and returns the job. */
  const change =
    (apply: typeof keepJob) =>
    async ({
      caller,
      params,
    }: {
      readonly caller: Caller;
      readonly params: { readonly id: string };
    }) => {
      const owner = visibleTo(caller);
      const generationId = params.id;
      await accountGate.run(caller.accountId, () =>
        apply(database, caller, { owner, generationId, quotaBytes }),
      );
      const generation = await findGeneration(database, { ...owner, generationId });
      if (generation === null) throw jobNotFound();
      return presentJob(generation, signWith(dependencies));
    };
  routes.add(endpoints.keepJob, change(keepJob), options);
  routes.add(endpoints.releaseJob, change(releaseJob), options);

  routes.add(endpoints.listKept, async ({ caller, query: { limit, cursor } }) => {
    const { accountId, mode } = visibleTo(caller);
    const beforeId = readCursor(cursor);
    const found = await listKept(database, { accountId, mode, beforeId, limit: limit + 1 });
    const { page, nextCursor } = splitPage(found, limit);
    return {
      used_bytes: await readKeptUsage(database, caller),
      quota_bytes: quotaOf(caller.mode, quotaBytes),
      kept: page.map(({ id, status, sizeBytes, createdAt }) => ({
        job_id: id,
        status,
        size_bytes: sizeBytes,
        kept_since: createdAt.toISOString(),
      })),
      next_cursor: nextCursor,
    };
  });
}
