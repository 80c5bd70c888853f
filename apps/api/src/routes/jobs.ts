import { assertNotArchived } from "@atelier/generations/archive";
import { jobNotFound } from "@atelier/generations/endings";
import { findGeneration, isFinal } from "@atelier/generations/jobs";
import { changeNote } from "@atelier/generations/library";
import { deleteImages, markImagesRemoved } from "@atelier/generations/retention";
import { presentJob, presentJobs } from "@atelier/presentation";
import type { Job } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Request } from "express";
import type { Needs } from "../dependencies.ts";
import { withProgress } from "../events/progress.ts";
import { keepQuota } from "../generations/accept/keep-quota.ts";
import {
  cancelAndRemove,
  type CancelDependencies,
} from "../generations/answer/cancel-and-remove.ts";
import { listPage } from "../generations/answer/list-page.ts";
import { signWith } from "../generations/answer/sign.ts";
import { withWait } from "../generations/answer/wait-estimates.ts";
import { contextOf, disconnectSignal } from "../http/context.ts";
import { visibleTo } from "../http/permissions.ts";
import { readPreferredWait } from "../http/prefer.ts";
import type { Routes } from "../http/routes.ts";
import { sendArchive, sendJobsArchive } from "./archive.ts";

/** `/v1/jobs` and `/v1/jobs/{id}`. */
export function serveJobs(
  routes: Routes,
  dependencies: CancelDependencies &
    Needs<"accountMutex" | "admissions" | "config" | "progress" | "storage" | "waiters" | "waits">,
): void {
  const { accountGate, config, database, logger, storage, waiters } = dependencies;
  const options = { notFound: jobNotFound };

  /** Reads a job again, as the response to its change. */
  async function read(target: Parameters<typeof findGeneration>[1]): Promise<Job> {
    const generation = await findGeneration(database, target);
    if (generation === null) throw jobNotFound();
    return presentJob(generation, signWith(dependencies));
  }

  routes.add(
    endpoints.listJobs,
    async ({ caller, query }) => {
      const { page, nextCursor } = await listPage(caller, query, dependencies);
      const waits = await dependencies.waits.ofJobs(caller.accountId, page);
      const jobs = await presentJobs(page, signWith(dependencies));
      return { jobs: jobs.map((job) => withWait(job, waits)), next_cursor: nextCursor };
    },
    { readQuery: readMetadataFilters },
  );

  // With `Prefer: wait=N` once it is final or N seconds are over.
  routes.add(
    endpoints.readJob,
    async ({ caller, params: { id: generationId }, request, response }) => {
      const owner = visibleTo(caller);
      const target = { ...owner, generationId };
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
      return withProgress(job, dependencies.progress);
    },
    options,
  );

  routes.add(
    endpoints.changeJob,
    async ({ caller, params: { id: generationId }, body }) => {
      const owner = visibleTo(caller);
      await accountGate.run(caller.accountId, () =>
        changeNote(database, caller, { owner, generationId, quotaBytes: keepQuota(config) }, body),
      );
      return read({ ...owner, generationId });
    },
    options,
  );

  routes.add(
    endpoints.cancelJob,
    async ({ caller, params: { id: generationId }, response }) => {
      const target = { ...visibleTo(caller), generationId };
      const { requestId } = contextOf(response);
      const isCancelled = await cancelAndRemove(target, requestId, dependencies);
      return [isCancelled ? 200 : 202, await read(target)] as const;
    },
    options,
  );

  // The sweep removes files that cannot be removed now.
  routes.add(
    endpoints.deleteJobImages,
    async ({ caller, params: { id: generationId }, response }) => {
      const target = { ...visibleTo(caller), generationId };
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
        const { requestId } = contextOf(response);
        logger.warn({ err: error, requestId }, "deleted images remain, left to the sweep");
      }
      return read(target);
    },
    options,
  );

  routes.send(endpoints.downloadArchive, sendArchive(dependencies));
  routes.send(endpoints.archiveJobs, sendJobsArchive(dependencies));
}

const metadataPrefix = "metadata.";

/** Collects the parameters `metadata.<name>` of a query in one object. */
function readMetadataFilters(query: Request["query"]): object {
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
