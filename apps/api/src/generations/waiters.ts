import type { Database } from "@atelier/database";
import { filterFinal, finalChannel } from "@atelier/generations";

/** Requests that wait for their generation to become final. */
export interface Waiters {
  /**
   * Waits until a generation is final, the time is over, or the signal is aborted; not at all while
   * as many requests of the account wait as may.
   *
   * @returns whether it is final.
   */
  waitFor(of: Waited, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  /** Ends all waiting, now and later: whoever waits is told that its generation is not final. */
  release(): void;
  close(): Promise<void>;
}

/** What a request waits for, and on whose behalf. */
interface Waited {
  readonly accountId: string;
  readonly generationId: string;
}

const pollIntervalMs = 500;

/**
 * One LISTEN connection for the whole process wakes waiting requests at once. Because a notification
 * can be lost with its connection, the rows are looked at as well, all of them in one query.
 */
export async function createWaiters(
  database: Database,
  options: {
    /** Of one account, in this process. */
    readonly maxWaiting: number;
    readonly onError: (error: unknown) => void;
  },
): Promise<Waiters> {
  const { maxWaiting, onError } = options;
  const waiting = new Map<string, Set<(final: boolean) => void>>();
  const waitingOf = new Map<string, number>();
  let released = false;

  function wake(generationId: string): void {
    for (const resolve of waiting.get(generationId) ?? []) resolve(true);
  }

  const listener = await database.listen(finalChannel, wake);
  function count(accountId: string, change: 1 | -1): void {
    const now = (waitingOf.get(accountId) ?? 0) + change;
    if (now === 0) waitingOf.delete(accountId);
    else waitingOf.set(accountId, now);
  }

  let polling = false;
  const timer = setInterval(() => {
    if (polling || waiting.size === 0) return;
    polling = true;
    filterFinal(database, [...waiting.keys()])
      .then((final) => final.forEach(wake))
      .catch(onError)
      .finally(() => {
        polling = false;
      });
  }, pollIntervalMs);

  return {
    async waitFor({ accountId, generationId }, timeoutMs, signal) {
      // A request that was still being accepted when all others were released.
      if (released || (waitingOf.get(accountId) ?? 0) >= maxWaiting) return false;
      count(accountId, 1);
      return new Promise((resolve) => {
        const giveUp = () => end(false);
        const timeout = setTimeout(giveUp, timeoutMs);
        signal.addEventListener("abort", giveUp, { once: true });
        const resolvers = waiting.get(generationId) ?? new Set();
        waiting.set(generationId, resolvers.add(end));

        function end(final: boolean): void {
          clearTimeout(timeout);
          signal.removeEventListener("abort", giveUp);
          if (resolvers.delete(end)) count(accountId, -1);
          if (resolvers.size === 0) waiting.delete(generationId);
          resolve(final);
        }
      });
    },
    release() {
      released = true;
      for (const resolvers of waiting.values()) for (const resolve of resolvers) resolve(false);
    },
    async close() {
      clearInterval(timer);
      await listener.close();
    },
  };
}
