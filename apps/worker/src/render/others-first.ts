import type { Claim } from "@atelier/generations/claims";
import { unlessAborted } from "@atelier/kit";
import { createActivity, processClock, type Clock } from "./activity.ts";

/** Lets this process mark images of single requests before those of batches. */
export interface OthersFirst {
  /**
   * Runs the steps of an image that need a processor. An image outside of a batch starts at once. One of
   * a batch waits until no other was in these steps for a moment, at most for the longest wait, and
   * until a place of batches is free.
   *
   * @throws the reason of the signal when it aborts during the wait, and what the steps throw.
   */
  run<T>(claim: Pick<Claim, "isInBatch">, steps: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Timing extends Clock {
  /** Time without another image after which batches have all threads, in milliseconds. */
  readonly aloneMs: number;
  /** Time without another image, in milliseconds. It bridges the pauses of a client that sends one after another. */
  readonly quietMs: number;
  /** Longest wait of an image of a batch for others, in milliseconds. */
  readonly longestMs: number;
  /** Time between two checks, in milliseconds. */
  readonly checkMs: number;
}

const usual: Timing = {
  ...processClock,
  aloneMs: 10_000,
  quietMs: 500,
  longestMs: 10_000,
  checkMs: 50,
};

/**
 * Creates the order of images of this process. While there are others, images of batches have half of
 * the marking threads, or the only one, because marking cannot be interrupted. Otherwise they have all.
 */
export function createOthersFirst(threads: number, timing: Timing = usual): OthersFirst {
  const { aloneMs, quietMs, longestMs, checkMs, now } = timing;
  const others = createActivity(timing);

  const places = () => (others.wasWithin(aloneMs) ? Math.max(1, Math.floor(threads / 2)) : threads);
  let taken = 0;
  const waiting: (() => void)[] = [];

  async function takePlace(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    fillPlaces();
    try {
      await unlessAborted(promise, signal);
    } catch (reason) {
      const index = waiting.indexOf(resolve);
      if (index === -1) leavePlace();
      else waiting.splice(index, 1);
      throw reason;
    }
  }

  function fillPlaces(): void {
    while (taken < places()) {
      const next = waiting.shift();
      if (next === undefined) return;
      taken += 1;
      next();
    }
  }

  function leavePlace(): void {
    taken -= 1;
    fillPlaces();
  }

  async function runOther<T>(steps: () => Promise<T>): Promise<T> {
    const end = others.begin();
    try {
      return await steps();
    } finally {
      end();
    }
  }

  return {
    async run({ isInBatch }, steps, signal) {
      if (!isInBatch) return runOther(steps);
      const latest = now() + longestMs;
      await takePlace(signal);
      try {
        await others.untilQuiet({ quietMs, checkMs, latest }, signal);
        signal.throwIfAborted();
        return await steps();
      } finally {
        leavePlace();
      }
    },
  };
}
