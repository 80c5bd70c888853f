import { setTimeout as delay } from "node:timers/promises";
import type { Claim } from "@atelier/generations";
import { testLane } from "@atelier/models";

/** Lets live images of this process go before those of tests, which cost nothing. */
export interface LiveFirst {
  /** Counts a live image as being in progress until the returned function is called. */
  enter(claim: Pick<Claim, "lane">): () => void;
  /**
   * Waits, for an image of a test, until no live image was in progress for a moment. A process that is
   * never without one makes the image after the longest wait, so that tests end.
   *
   * @throws the reason of the signal when it aborts.
   */
  waitFor(claim: Pick<Claim, "lane">, signal: AbortSignal): Promise<void>;
}

interface Timing {
  /** Time without a live image, in milliseconds. */
  readonly quietMs: number;
  /** Longest wait, in milliseconds. */
  readonly longestMs: number;
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const usual: Timing = {
  quietMs: 200,
  longestMs: 3_000,
  now: () => performance.now(),
  pause: (ms, signal) => delay(ms, undefined, { signal }),
};

/** Creates the order of images of this process. */
export function createLiveFirst({ quietMs, longestMs, now, pause }: Timing = usual): LiveFirst {
  let running = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  const isBusy = () => running > 0 || now() < endedAt + quietMs;

  return {
    enter({ lane }) {
      if (lane === testLane) return () => undefined;
      running += 1;
      return () => {
        running -= 1;
        endedAt = now();
      };
    },
    async waitFor({ lane }, signal) {
      if (lane !== testLane) return;
      const latest = now() + longestMs;
      while (now() < latest && isBusy()) {
        await pause(quietMs, signal);
      }
    },
  };
}
