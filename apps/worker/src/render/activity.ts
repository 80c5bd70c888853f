import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** Milliseconds since any moment. */
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export const processClock: Clock = {
  now: () => performance.now(),
  pause: (ms, signal) => delay(ms, undefined, { signal }),
};

/** Work of this process that other work waits for. */
export interface Activity {
  /** Counts work as being in progress until the returned function is called. */
  begin(): () => void;
  /** Whether work is in progress, or ended within this time, in milliseconds. */
  wasWithin(ms: number): boolean;
  /**
   * Waits until there was none for `quietMs`, or until `latest` on the clock, with a look every `checkMs`.
   *
   * @throws the reason of the signal when it aborts.
   */
  untilQuiet(
    wait: { readonly quietMs: number; readonly checkMs: number; readonly latest: number },
    signal: AbortSignal,
  ): Promise<void>;
}

/** Creates a count of work in progress. */
export function createActivity({ now, pause }: Clock): Activity {
  let running = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  const wasWithin = (ms: number) => running > 0 || now() < endedAt + ms;

  return {
    begin() {
      running += 1;
      return () => {
        running -= 1;
        endedAt = now();
      };
    },
    wasWithin,
    async untilQuiet({ quietMs, checkMs, latest }, signal) {
      while (now() < latest && wasWithin(quietMs)) await pause(checkMs, signal);
    },
  };
}
