import type { Database } from "@atelier/database";
import { redactOldGenerations } from "@atelier/generations";

const batch = 200;

/**
 * Removes requests and prompts of jobs that ended longer ago than `olderThanMs`, in batches.
 *
 * @param proceed called after each batch; false ends the sweep.
 * @returns the number of jobs.
 */
export async function sweepJobs(
  olderThanMs: number,
  database: Database,
  proceed: () => Promise<boolean>,
): Promise<number> {
  let redacted = 0;
  for (;;) {
    const count = await redactOldGenerations(database, { olderThanMs, limit: batch });
    redacted += count;
    if (count === 0 || !(await proceed())) return redacted;
  }
}
