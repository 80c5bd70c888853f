import { AppError } from "@atelier/schemas";

/** Runs work of one account sequentially, and work of different accounts concurrently. */
export interface AccountMutex {
  /** @throws AppError `rate_limited` when too much work of the account is waiting. */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates a mutex for requests that read large amounts of data, so that one account uses at most one
 * database connection of this process for them.
 *
 * @param maxWaiting requests of one account that may wait, besides the running one.
 */
export function createAccountMutex(maxWaiting: number): AccountMutex {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();
  return {
    async run(accountId, work) {
      const queue = queues.get(accountId) ?? { last: Promise.resolve(), length: 0 };
      if (queue.length > maxWaiting) throw tooManyReads();
      queues.set(accountId, queue);
      queue.length += 1;
      const result = queue.last.then(work, work);
      queue.last = result.catch(() => undefined);
      try {
        return await result;
      } finally {
        queue.length -= 1;
        if (queue.length === 0) queues.delete(accountId);
      }
    },
  };
}

function tooManyReads(): AppError {
  return new AppError(
    "rate_limited",
    "Too many requests of this account read large amounts of data at once. Wait for their responses, then send this one again.",
    { retryAfterMs: 1_000 },
  );
}
