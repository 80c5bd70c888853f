import type { Database } from "@atelier/database";
import {
  markRedaction,
  redactAfterDeletion,
  redactOldGenerations,
  type RedactionCursor,
  type RedactionMark,
} from "@atelier/generations/retention";

/** Jobs that one transaction reads; those with kept images are only read. */
const defaultBatch = 500;

/** The progress of redaction over the sweeps of a process; the first sweep reads all old jobs. */
export interface RedactionProgress {
  mark: RedactionMark | null;
}

const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Removes requests and prompts of jobs that ended longer ago than `olderThanMs`, in batches. A job with
 * kept images is read once: later sweeps of the process read the jobs that have reached the age since then,
 * and those whose images were deleted.
 *
 * @param proceed called after each batch; false ends the sweep.
 * @returns the number of jobs.
 */
export async function sweepJobs(
  olderThanMs: number,
  database: Database,
  progress: RedactionProgress,
  proceed: () => Promise<boolean>,
  batch = defaultBatch,
): Promise<number> {
  const { mark } = progress;
  const nextMark = await markRedaction(database, olderThanMs);
  let redacted = 0;
  let skipped = 0;
  let after: RedactionCursor | null = mark && { completedAt: mark.endedBefore, id: firstId };
  for (;;) {
    const page = await redactOldGenerations(database, { olderThanMs, after, limit: batch });
    redacted += page.redacted;
    skipped += page.skipped;
    after = page.next;
    if (after === null) break;
    if (!(await proceed())) return redacted;
  }
  if (mark !== null) {
    const options = { olderThanMs, deletedSince: mark.startedAt, limit: batch };
    for (let count = batch; count === batch;) {
      count = await redactAfterDeletion(database, options);
      redacted += count;
      if (!(await proceed())) return redacted;
    }
  }
  // Jobs that were locked are read again by the next sweep.
  if (skipped === 0) progress.mark = nextMark;
  return redacted;
}
