import { jobNotFound } from "@atelier/generations/endings";
import {
  findGeneration,
  isFinal,
  type FoundGeneration,
  type Owner,
} from "@atelier/generations/jobs";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Needs } from "../dependencies.ts";
import { reportProgress } from "./report-progress.ts";

/** Runs a function that waits and reports the progress of a generation in the meantime. */
export async function withProgress<Result>(
  context: ServerContext,
  accountId: string,
  dependencies: Needs<"database" | "logger">,
  wait: (startReporting: (generationId: string) => void) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const reports: Promise<void>[] = [];
  try {
    return await wait((generationId) => {
      const target = { accountId, generationId };
      reports.push(reportProgress(target, context, ended.signal, dependencies));
    });
  } finally {
    ended.abort();
    // No notification may follow the response.
    await Promise.all(reports);
  }
}

/**
 * Waits for a generation up to a time limit.
 *
 * @throws AppError `job_not_found`.
 */
export async function waitForJob(
  target: Owner & { readonly generationId: string },
  waitMs: number,
  context: ServerContext,
  dependencies: Needs<"database" | "logger" | "waiters">,
): Promise<FoundGeneration> {
  const { database, waiters } = dependencies;
  const { signal } = context.mcpReq;
  const found = await findGeneration(database.repeatable, target);
  if (found === null) throw jobNotFound();
  if (waitMs === 0 || isFinal(found) || signal.aborted) return found;
  await withProgress(context, target.accountId, dependencies, (startReporting) => {
    startReporting(target.generationId);
    return waiters.waitFor(target, waitMs, signal);
  });
  return (await findGeneration(database.repeatable, target)) ?? found;
}
