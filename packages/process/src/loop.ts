/** A repeating task. */
export interface Loop {
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
  { firstDelayMs, delayMs, onError }: LoopOptions,
): Loop {
  const stopping = new AbortController();
  let currentRound: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    currentRound = round(stopping.signal)
      .catch(onError)
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(begin, delayMs());
      });
  }
  if (firstDelayMs === 0) begin();
  else timer = setTimeout(begin, firstDelayMs);

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await currentRound;
    },
  };
}
