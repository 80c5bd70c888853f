/** A repeating task. */
export interface Loop {
  /** Runs a round now, or at the end of the gap after the last one, instead of at the end of the delay. */
  wake(): void;
  /** Starts no further round and waits for the current one. */
  stop(): Promise<void>;
}

interface LoopOptions {
  /** Delay before the first round, in milliseconds; 0 starts it at once. */
  readonly firstDelayMs: number;
  /**
   * Returns the delay from the end of a round to the next one, in milliseconds; called after each round,
   * so that it can vary. A failed round has the same delay.
   */
  readonly delayMs: () => number;
  /** Shortest time from the end of a round to one that `wake` starts, in milliseconds; 0 by default. */
  readonly gapMs?: number;
  /** Called with the error of a failed round; the loop continues. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs a task repeatedly, one round at a time.
 *
 * @param round receives a signal that aborts when the loop is stopped.
 */
export function startLoop(
  round: (stopped: AbortSignal) => Promise<unknown>,
  { firstDelayMs, delayMs, gapMs = 0, onError }: LoopOptions,
): Loop {
  const stopping = new AbortController();
  let currentRound: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  /** A round was requested while one was running. */
  let isWoken = false;
  let lastEndedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    isRunning = true;
    isWoken = false;
    currentRound = round(stopping.signal)
      .catch(onError)
      .finally(() => {
        isRunning = false;
        lastEndedAt = performance.now();
        if (stopping.signal.aborted) return;
        timer = setTimeout(begin, isWoken ? gapMs : delayMs());
      });
  }
  if (firstDelayMs === 0) begin();
  else timer = setTimeout(begin, firstDelayMs);

  return {
    wake() {
      if (stopping.signal.aborted || isWoken) return;
      isWoken = true;
      if (isRunning) return;
      clearTimeout(timer);
      const remainingMs = lastEndedAt + gapMs - performance.now();
      if (remainingMs <= 0) begin();
      else timer = setTimeout(begin, remainingMs);
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await currentRound;
    },
  };
}
