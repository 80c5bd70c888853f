import { ApiError, messageOf } from "../../../api.ts";
import { pause } from "../../../data/pause.ts";
import { retryDelay, shouldRetry } from "../../../data/queries.ts";
import { sessionSignal } from "../../../data/session-signal.ts";

/** The outcome of several requests. */
export interface Outcome {
  /** The ids whose request was accepted. */
  readonly done: readonly string[];
  /** The first refusal; null if there was none. */
  readonly problem: string | null;
  /** Whether the session has ended, so that nothing is said about the jobs. */
  readonly isOver: boolean;
}

/** Refusals of one job that say nothing of the next. */
const ownRefusals: readonly string[] = [
  "job_not_found",
  "job_not_final",
  "file_not_found",
  "images_in_use",
];

/**
 * Sends a request for each job, one after another, and those that the service had no time for again. Ends at a
 * refusal that the next job would meet as well, such as a quota that is used up, and with the session.
 */
export async function workThrough(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const signal = sessionSignal();
  const done: string[] = [];
  let problem: string | null = null;
  for (const [index, id] of ids.entries()) {
    if (signal.aborted) break;
    onProgress(index);
    try {
      await patiently(() => work(id), signal);
      done.push(id);
    } catch (error) {
      problem ??= messageOf(error);
      if (!(error instanceof ApiError) || !ownRefusals.includes(error.code)) break;
    }
  }
  return { done, problem, isOver: signal.aborted };
}

async function patiently(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof Error) || !shouldRetry(failures, error)) throw error;
      await pause(retryDelay(failures, error), signal);
      if (signal.aborted) throw error;
    }
  }
}
