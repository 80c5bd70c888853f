import type { Database } from "@atelier/database";
import { filterFinal } from "@atelier/generations/jobs";

/** Requests that wait for their generation to become final. */
export interface Waiters {
  /**
   * Waits until a generation is final, the timeout expires or the signal aborts. Returns at once when
   * the account has reached its limit of waiting requests.
   *
   * @returns whether the generation is final.
   */
  waitFor(target: Waited, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  /** Ends the waits for a generation with true. */
  wake(generationId: string): void;
  /** Ends all current and future waits with false. */
  release(): void;
  close(): void;
}

/** The generation that a request waits for, and its account. */
interface Waited {
  readonly accountId: string;
  readonly generationId: string;
}

const pollIntervalMs = 500;

/**
 * Creates the waiters of this process. The caller wakes them when it is notified on `finalChannel`. Since
 * notifications are lost when the connection breaks, the rows are also polled, with one query for
 * all.
 */
export function createWaiters(
  database: Database,
  options: {
    /** Waiting requests per account, in this process. */
    readonly maxWaiting: number;
    readonly onError: (error: unknown) => void;
  },
): Waiters {
  const { maxWaiting, onError } = options;
  const resolversByGeneration = new Map<string, Set<(final: boolean) => void>>();
  const countByAccount = new Map<string, number>();
  let released = false;

  function wake(generationId: string): void {
    for (const resolve of resolversByGeneration.get(generationId) ?? []) resolve(true);
  }

  function count(accountId: string, change: 1 | -1): void {
    const now = (countByAccount.get(accountId) ?? 0) + change;
    if (now === 0) countByAccount.delete(accountId);
    else countByAccount.set(accountId, now);
  }

  let polling = false;
  const timer = setInterval(() => {
    if (polling || resolversByGeneration.size === 0) return;
    polling = true;
    filterFinal(database, [...resolversByGeneration.keys()])
      .then((final) => final.forEach(wake))
      .catch(onError)
      .finally(() => {
        polling = false;
      });
  }, pollIntervalMs);

  return {
    async waitFor({ accountId, generationId }, timeoutMs, signal) {
      // `released`: the request was still being accepted when the other waits ended.
      if (released || signal.aborted || (countByAccount.get(accountId) ?? 0) >= maxWaiting)
        return false;
      count(accountId, 1);
      return new Promise((resolve) => {
        const giveUp = () => end(false);
        const timeout = setTimeout(giveUp, timeoutMs);
        signal.addEventListener("abort", giveUp, { once: true });
        const resolvers = resolversByGeneration.get(generationId) ?? new Set();
        resolversByGeneration.set(generationId, resolvers.add(end));

        function end(final: boolean): void {
          clearTimeout(timeout);
          signal.removeEventListener("abort", giveUp);
          if (resolvers.delete(end)) count(accountId, -1);
          if (resolvers.size === 0) resolversByGeneration.delete(generationId);
          resolve(final);
        }
      });
    },
    wake,
    release() {
      released = true;
      for (const resolvers of resolversByGeneration.values())
        for (const resolve of resolvers) resolve(false);
    },
    close: () => clearInterval(timer),
  };
}
