import { CallEnded } from "./http/call-ended.ts";
import { wait } from "./http/wait.ts";

const cancelTimeoutMs = 5_000;

/** Questions in a row that may come to nothing, each asked again after twice the time, at most this. */
const maxFailures = 5;
const longestIntervalMs = 15_000;

/** How an adapter follows a call that the provider works on. */
export interface PollOptions<T> {
  /** Asks once: what the call came to, or null while it goes on. */
  readonly ask: () => Promise<T | null>;
  /** Between two questions, in milliseconds. */
  readonly intervalMs: number;
  /** Ends when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** Tells the provider that nobody wants the image; left out where it takes no such word. */
  readonly cancel?: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Asks about a call until it has ended. A question that comes to nothing says nothing about the call,
 * which is paid for: it is asked again a few times.
 *
 * When the time that the caller had is over (its signal's reason is a `TimeoutError`, as that of
 * `AbortSignal.timeout`), nobody will want the image any more, and the provider is told so. When the
 * caller ends for another reason, such as its process, the call is left to be taken up again.
 *
 * @throws whatever `ask` throws; CallEnded `unknown` when the caller gives up.
 */
export async function poll<T>(options: PollOptions<T>): Promise<T> {
  const { cancel, signal } = options;
  try {
    return await askUntilEnded(options);
  } catch (error) {
    if (isTimeUp(signal) && cancel !== undefined) {
      // A courtesy: the outcome is unknown whether or not the provider heard it.
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
      if (!isLost(error) || signal.aborted || failures > maxFailures) throw error;
    }
    await wait(Math.min(intervalMs * 2 ** failures, longestIntervalMs), signal);
  }
}

function isLost(error: unknown): boolean {
  return error instanceof CallEnded && error.outcome.kind === "unknown";
}

function isTimeUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === "TimeoutError";
}
