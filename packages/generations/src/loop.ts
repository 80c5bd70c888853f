/** Something that is done again and again until it is stopped. */
export interface Loop {
  /** Begins no more rounds and waits for the one under way. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  /** From the start to the first round, in milliseconds; 0 begins it at once. */
  readonly firstDelayMs: number;
  /** From the end of each round to the next one, in milliseconds. */
  readonly delayMs: () => number;
  /** Told why a round failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
}

/**
 * Does a round, waits, and does the next one.
 *
 * @param round given a signal that is aborted when the loop is stopped.
 */
export function startLoop(
  round: (stopped: AbortSignal) => Promise<unknown>,
  { firstDelayMs, delayMs, onError }: LoopOptions,
): Loop {
  const stopping = new AbortController();
  let underWay: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    underWay = round(stopping.signal)
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
      await underWay;
    },
  };
}
