import type { Database } from "@atelier/database";
import { redactOldGenerations, type RedactionCursor } from "@atelier/generations";

/** Jobs that one transaction reads; those with kept images are only read. */
const batch = 500;

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
  let after: RedactionCursor | null = null;
  do {
    const page = await redactOldGenerations(database, { olderThanMs, after, limit: batch });
    redacted += page.redacted;
    after = page.next;
  } while (after !== null && (await proceed()));
  return redacted;
}
