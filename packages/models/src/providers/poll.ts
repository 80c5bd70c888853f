import { CallEnded } from "./http/call-ended.ts";
import { wait } from "./http/wait.ts";

const cancelTimeoutMs = 5_000;

/** Failed polls in a row that are repeated. The delay doubles after each, up to `longestBackoffMs`. */
const maxFailures = 5;
const longestBackoffMs = 15_000;

/** Options for polling a call until it ends. */
interface PollOptions<T> {
  /** Polls once, with a time limit of its own; returns the result, or null while the call is in progress. */
  readonly ask: () => Promise<T | null>;
  /** Polling interval in milliseconds. */
  readonly intervalMs: number;
  /** Aborts when the caller no longer waits for the result. */
  readonly signal: AbortSignal;
  /** Cancels the call at the provider; omitted when the provider has no cancellation. */
  readonly cancel?: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Polls a call until it ends. A failed poll says nothing about the call, which is charged, so it is
 * retried a few times.
 *
 * When the caller's timeout expires (the signal's reason is a `TimeoutError`, as from
 * `AbortSignal.timeout`), the call is cancelled at the provider. When the signal aborts for another
 * reason, such as process shutdown, the call continues and can be resumed.
 *
 * @throws any error of `ask`; CallEnded `unknown` when the signal aborts.
 */
export async function poll<T>(options: PollOptions<T>): Promise<T> {
  const { cancel, signal } = options;
  try {
    return await askUntilEnded(options);
  } catch (error) {
    if (isTimeUp(signal) && cancel !== undefined) {
      // Best effort: the outcome is unknown whether or not the cancellation succeeds.
      await cancel(AbortSignal.timeout(cancelTimeoutMs)).catch(() => null);
    }
    throw error;
  }
}

async function askUntilEnded<T>({ ask, intervalMs, signal }: PollOptions<T>): Promise<T> {
  for (let failures = 0; ;) {
    try {
      const ended = await ask();
      if (ended !== null) return ended;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!isUnknown(error) || signal.aborted || failures > maxFailures) throw error;
    }
    await wait(delayAfter(failures, intervalMs), signal);
  }
}

/** Returns the delay before the next poll, which is never shorter than the interval. */
export function delayAfter(failures: number, intervalMs: number): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, longestBackoffMs));
}

function isUnknown(error: unknown): boolean {
  return error instanceof CallEnded && error.outcome.kind === "unknown";
}

function isTimeUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === "TimeoutError";
}
