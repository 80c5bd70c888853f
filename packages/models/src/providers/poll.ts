import { wait } from "./http/wait.ts";

const cancelTimeoutMs = 5_000;

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
 * Asks about a call until it has ended.
 *
 * When the time that the caller had is over (its signal's reason is a `TimeoutError`, as that of
 * `AbortSignal.timeout`), nobody will want the image any more, and the provider is told so. When the
 * caller ends for another reason, such as its process, the call is left to be taken up again.
 *
 * @throws whatever `ask` throws; CallEnded `unknown` when the caller gives up.
 */
export async function poll<T>({ ask, cancel, intervalMs, signal }: PollOptions<T>): Promise<T> {
  try {
    for (;;) {
      const ended = await ask();
      if (ended !== null) return ended;
      await wait(intervalMs, signal);
    }
  } catch (error) {
    if (isTimeUp(signal) && cancel !== undefined) {
      // A courtesy: the outcome is unknown whether or not the provider heard it.
      await cancel(AbortSignal.timeout(cancelTimeoutMs)).catch(() => null);
    }
    throw error;
  }
}

function isTimeUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === "TimeoutError";
}
