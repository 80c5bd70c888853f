import { findGeneration, isFinal, jobNotFound, type FoundGeneration } from "@atelier/generations";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { ApiDependencies } from "../dependencies.ts";
import { reportProgress } from "./report-progress.ts";

/** Does something that waits, and reports the progress of a generation meanwhile. */
export async function withProgress<Result>(
  context: ServerContext,
  accountId: string,
  dependencies: ApiDependencies,
  wait: (startReporting: (generationId: string) => void) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const reports: Promise<void>[] = [];
  try {
    return await wait((generationId) => {
      const of = { accountId, generationId };
      reports.push(reportProgress(of, context, ended.signal, dependencies));
    });
  } finally {
    ended.abort();
    // Nothing may be told of a request that was answered.
    await Promise.all(reports);
  }
}

/**
 * Waits for a generation, at most as long as is said.
 *
 * @throws AppError `job_not_found`.
 */
export async function waitForJob(
  of: { readonly accountId: string; readonly generationId: string },
  waitMs: number,
  context: ServerContext,
  dependencies: ApiDependencies,
): Promise<FoundGeneration> {
  const { database, waiters } = dependencies;
  const { signal } = context.mcpReq;
  const found = await findGeneration(database.repeatable, of);
  if (found === null) throw jobNotFound();
  if (waitMs === 0 || isFinal(found) || signal.aborted) return found;
  await withProgress(context, of.accountId, dependencies, (startReporting) => {
    startReporting(of.generationId);
    return waiters.waitFor(of, waitMs, signal);
  });
  return (await findGeneration(database.repeatable, of)) ?? found;
}
