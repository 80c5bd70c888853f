import { overloaded } from "@atelier/generations";

/** Limits the statements of one account that use connections of this process at the same time. */
export interface AccountGate {
  /**
   * Runs work that may wait for a row of the account, in the order of the calls.
   *
   * @throws AppError `overloaded` when too much work of the account waits, or this work waited too long.
   */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

/** The work of one account. */
interface Queue {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Creates a gate for statements that lock the row of an account. Those of one account run one after
 * another in the database: more than a few only keep connections from other accounts.
 *
 * @param limits.maxRunning statements of one account at the same time.
 * @param limits.maxWaiting statements of one account that wait in this process.
 * @param limits.maxWaitMs longest wait in this process.
 */
export function createAccountGate(limits: {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}): AccountGate {
  const queues = new Map<string, Queue>();

  function enter(queue: Queue): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      clearTimeout(timer);
      queue.waiting.delete(start);
      queue.running += 1;
      resolve();
    };
    const timer = setTimeout(() => {
      queue.waiting.delete(start);
      reject(overloaded());
    }, limits.maxWaitMs);
    queue.waiting.add(start);
    return promise;
  }

  function leave(accountId: string, queue: Queue): void {
    queue.running -= 1;
    const [next] = queue.waiting;
    if (next !== undefined) next();
    else if (queue.running === 0) queues.delete(accountId);
  }

  return {
    async run(accountId, work) {
      const queue = queues.get(accountId) ?? { running: 0, waiting: new Set() };
      queues.set(accountId, queue);
      if (queue.running < limits.maxRunning) queue.running += 1;
      else if (queue.waiting.size < limits.maxWaiting) await enter(queue);
      else throw overloaded();
      try {
        return await work();
      } finally {
        leave(accountId, queue);
      }
    },
  };
}
