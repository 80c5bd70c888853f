/** The result of an operation, as an indication of the store's load. */
export type Pace =
  /** Well within its timeout: the concurrency can grow. */
  | "fast"
  /** Close to its timeout: the concurrency should shrink. */
  | "slow"
  /** Failed or timed out: the store is overloaded or unavailable. */
  | "failed"
  | "fine";

/**
 * Limits the number of concurrent operations and adapts the limit to their results (additive
 * increase, multiplicative decrease, as in TCP). Excess operations are queued in order here instead
 * of in the store, where they would time out.
 */
export interface AdaptiveLimit {
  /** Waits for a slot. The caller reports the result when the operation ends. */
  enter(): Promise<(pace: Pace) => void>;
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
}

export function createAdaptiveLimit(bounds: {
  readonly initial: number;
  readonly max: number;
}): AdaptiveLimit {
  let limit = bounds.initial;
  let running = 0;
  /** Counts decreases: results of operations started before the last decrease are ignored. */
  let decreases = 0;
  const waiting: (() => void)[] = [];

  function admit(): void {
    while (running < Math.max(1, Math.floor(limit)) && waiting.length > 0) {
      running++;
      waiting.shift()?.();
    }
  }

  function adapt(pace: Pace, wasFull: boolean): void {
    // Slow start: grow with every completed operation until the first decrease, then by one per
    // round.
    const step = decreases === 0 ? 1 : 1 / limit;
    if (pace === "fast" && wasFull) limit = Math.min(bounds.max, limit + step);
    if (pace === "slow" || pace === "failed") {
      limit = Math.max(1, limit * (pace === "failed" ? 0.5 : 0.9));
      decreases++;
    }
  }

  return {
    async enter() {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      });
      const begunAfter = decreases;
      return (pace) => {
        const wasFull = running >= Math.floor(limit);
        running--;
        if (begunAfter === decreases) adapt(pace, wasFull);
        admit();
      };
    },
    get limit() {
      return Math.max(1, Math.floor(limit));
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting.length;
    },
  };
}
