/** Memory that pieces of work share; each waits until there is enough for it. */
export interface Memory {
  /**
   * Waits for memory, in the order of the calls. An account that uses its share does not delay others.
   *
   * @param bytes at most the share of an account counts, so that a larger piece can run alone.
   * @returns a function that releases it; only its first call has an effect.
   * @throws the signal's reason when it aborts first.
   */
  reserve(accountId: string, bytes: number, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly accountId: string;
  readonly bytes: number;
  readonly start: () => void;
}

/** @param limits bytes of the process, and of one account, so that no account takes all. */
export function createMemory(limits: {
  readonly total: number;
  readonly perAccount: number;
}): Memory {
  const used = new Map<string, number>();
  let sum = 0;
  let line: Waiting[] = [];

  const ownOf = (accountId: string) => used.get(accountId) ?? 0;
  const take = ({ accountId, bytes }: Waiting) => {
    used.set(accountId, ownOf(accountId) + bytes);
    sum += bytes;
  };
  const give = ({ accountId, bytes }: Waiting) => {
    sum -= bytes;
    const left = ownOf(accountId) - bytes;
    if (left > 0) used.set(accountId, left);
    else used.delete(accountId);
  };

  /** Starts all that fit. The first one that only lacks memory of the process keeps its place. */
  function startNext(): void {
    const waiting = line;
    line = [];
    let isFull = false;
    for (const one of waiting) {
      const isAtShare = ownOf(one.accountId) + one.bytes > limits.perAccount;
      if (!isAtShare && sum + one.bytes > limits.total) isFull = true;
      if (isFull || isAtShare) {
        line.push(one);
        continue;
      }
      take(one);
      one.start();
    }
  }

  return {
    reserve(accountId, wanted, signal) {
      const bytes = Math.min(wanted, limits.perAccount);
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const stop = () => {
          line = line.filter((one) => one !== waiting);
          reject(signal.reason as Error);
          startNext();
        };
        const waiting: Waiting = {
          accountId,
          bytes,
          start() {
            signal.removeEventListener("abort", stop);
            let isReleased = false;
            resolve(() => {
              if (isReleased) return;
              isReleased = true;
              give(waiting);
              startNext();
            });
          },
        };
        signal.addEventListener("abort", stop, { once: true });
        line.push(waiting);
        startNext();
      });
    },
  };
}
