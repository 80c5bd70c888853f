import type { Database } from "@atelier/database";
import { filterFinal, finalChannel } from "@atelier/generations";

/** Requests that wait for their generation to become final. */
export interface Waiters {
  /**
   * Waits until a generation is final, the time is over, or the signal is aborted.
   *
   * @returns whether it is final.
   */
  waitFor(generationId: string, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  /** Ends all waiting, now and later: whoever waits is told that its generation is not final. */
  release(): void;
  close(): Promise<void>;
}

const pollIntervalMs = 500;

/**
 * One LISTEN connection for the whole process wakes waiting requests at once. Because a notification
 * can be lost with its connection, the rows are looked at as well, all of them in one query.
 */
export async function createWaiters(
  database: Database,
  onError: (error: unknown) => void,
): Promise<Waiters> {
  const waiting = new Map<string, Set<(final: boolean) => void>>();
  let released = false;

  function wake(generationId: string): void {
    for (const resolve of waiting.get(generationId) ?? []) resolve(true);
  }

  const listener = await database.listen(finalChannel, wake);
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
    async waitFor(generationId, timeoutMs, signal) {
      // A request that was still being accepted when all others were released.
      if (released) return false;
      return new Promise((resolve) => {
        const giveUp = () => end(false);
        const timeout = setTimeout(giveUp, timeoutMs);
        signal.addEventListener("abort", giveUp, { once: true });
        const resolvers = waiting.get(generationId) ?? new Set();
        waiting.set(generationId, resolvers.add(end));

        function end(final: boolean): void {
          clearTimeout(timeout);
          signal.removeEventListener("abort", giveUp);
          resolvers.delete(end);
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
