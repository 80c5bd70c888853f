import { overloaded } from "./overloaded.ts";

/** Work of accounts that runs in order, and in groups while work of the same account is in progress. */
export interface AccountLines<Item, Result> {
  /**
   * Runs one item. It starts at once when fewer than `maxRunning` groups of its account run; otherwise it
   * waits, and starts together with the other items that wait then.
   *
   * @throws the refusal when too many items of the account wait, or this one waited too long.
   */
  run(accountId: string, item: Item): Promise<Result>;
}

export interface LineLimits {
  /** Groups of one account that run at the same time. */
  readonly maxRunning: number;
  /** Items of one group. */
  readonly maxGroup: number;
  /** Items of one account that wait. */
  readonly maxWaiting: number;
  /** Longest wait in milliseconds; null for no limit. */
  readonly maxWaitMs: number | null;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** The work of one account. */
interface Line<Item, Result> {
  running: number;
  readonly waiting: Set<Waiting<Item, Result>>;
}

/**
 * Creates the lines of a process.
 *
 * @param runGroup runs items of one account, in order, and returns the outcome of each. When it throws, all
 *   of them fail.
 * @param refusal creates the error of an item that may not wait. Default: `overloaded`.
 */
export function createAccountLines<Item, Result>(
  limits: LineLimits,
  runGroup: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
  refusal = overloaded,
): AccountLines<Item, Result> {
  const lines = new Map<string, Line<Item, Result>>();

  async function start(
    accountId: string,
    line: Line<Item, Result>,
    group: readonly Waiting<Item, Result>[],
  ): Promise<void> {
    line.running += 1;
    for (const { timer } of group) clearTimeout(timer);
    try {
      const outcomes = await runGroup(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === "fulfilled") resolve(outcome.value);
        else reject(outcome?.reason);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    line.running -= 1;
    const next = [...line.waiting].slice(0, limits.maxGroup);
    for (const waiting of next) line.waiting.delete(waiting);
    if (next.length > 0) void start(accountId, line, next);
    else if (line.running === 0) lines.delete(accountId);
  }

  return {
    run(accountId, item) {
      const line = lines.get(accountId) ?? { running: 0, waiting: new Set() };
      lines.set(accountId, line);
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      if (line.running < limits.maxRunning) {
        void start(accountId, line, [{ item, resolve, reject, timer: undefined }]);
      } else if (line.waiting.size < limits.maxWaiting) {
        const giveUp = () => {
          line.waiting.delete(waiting);
          reject(refusal());
        };
        const timer = limits.maxWaitMs === null ? undefined : setTimeout(giveUp, limits.maxWaitMs);
        const waiting = { item, resolve, reject, timer };
        line.waiting.add(waiting);
      } else reject(refusal());
      return promise;
    },
  };
}
