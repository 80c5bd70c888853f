import type { DiaryEntry } from "./load.ts";

/** The database record of a client's request. */
export interface RecordedJob {
  readonly id: string;
  readonly status: string;
  /** Its error code; null without an error. */
  readonly code: string | null;
  readonly completedAt: Date | null;
}

/** Maximum time from the end of a job until a polling client sees it, during any fault. */
const maxDelayMs = 60_000;

/**
 * Compares the outcome that a client received with the recorded one.
 *
 * @param job null when the request was never accepted.
 * @returns `right`; `timeout` when the client gave up before it could know how its job ended;
 *   otherwise a description of the violation. If the job had ended long before the client gave up,
 *   the result was lost.
 */
export function judgeEntry(entry: DiaryEntry, job: RecordedJob | null): string {
  // Moderation refuses a request before it becomes a job.
  const isRefused = job === null && entry.expected === "refusal" && entry.jobId === null;
  if (isRefused && entry.outcome?.startsWith("content_") === true) return "right";
  const ended = job?.status === "completed" ? "completed" : (job?.code ?? "nothing");
  const isSameJob = entry.jobId === null || entry.jobId === job?.id;
  const record = `the recorded outcome is ${ended} for ${job?.id}`;
  if (entry.gaveUpAt !== null && isSameJob) {
    const waitedMs = entry.gaveUpAt - (job?.completedAt?.getTime() ?? entry.gaveUpAt);
    return waitedMs <= maxDelayMs
      ? "timeout"
      : `A client did not see within ${Math.round(waitedMs / 1_000)} s how its job ended; ${record}.`;
  }
  // A request that must be refused may also fail before moderation; it must never complete.
  const isExpected = entry.expected === "image" || entry.outcome !== "completed";
  if (entry.outcome === ended && isSameJob && isExpected) return "right";
  return `A client saw ${entry.outcome} for ${entry.jobId}; ${record}.`;
}
