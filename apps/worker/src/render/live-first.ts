import type { Claim } from "@atelier/generations/claims";
import { testLane } from "@atelier/models";
import { createActivity, processClock, type Clock } from "./activity.ts";

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

interface Timing extends Clock {
  /** Time without a live image, in milliseconds. */
  readonly quietMs: number;
  /** Longest wait, in milliseconds. */
  readonly longestMs: number;
}

const usual: Timing = { ...processClock, quietMs: 200, longestMs: 3_000 };

/** Creates the order of images of this process. */
export function createLiveFirst(timing: Timing = usual): LiveFirst {
  const { quietMs, longestMs, now } = timing;
  const live = createActivity(timing);

  return {
    enter: ({ lane }) => (lane === testLane ? () => undefined : live.begin()),
    async waitFor({ lane }, signal) {
      if (lane !== testLane) return;
      await live.untilQuiet({ quietMs, checkMs: quietMs, latest: now() + longestMs }, signal);
    },
  };
}
