import type { TryFailed } from "./failures.ts";

/** Facts about an attempt that produced no image. */
export interface TryFacts extends Pick<TryFailed, "pauseLaneMs" | "isUncounted" | "fallBack"> {
  /** Another worker has claimed the render in the meantime. */
  readonly isStale: boolean;
  /** This worker is shutting down and has no time left for the render. */
  readonly isLeaving: boolean;
  /** The error is transient. */
  readonly isRetryable: boolean;
  /** The database or the storage is unavailable, which is unrelated to this render. */
  readonly isServiceUnavailable: boolean;
  /** Requested delay (Retry-After), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Claims of the render, including this one. */
  readonly attempt: number;
  /** Claims that count towards the limit, including this one. */
  readonly tries: number;
  readonly maxTries: number;
}

export type Ending =
  /** Nothing is written: another worker has the render. */
  | { readonly kind: "stale" }
  /** Another worker can claim the render at once, and the attempt does not count. */
  | { readonly kind: "hand-back" }
  /**
   * The generation is switched to another model if possible; otherwise one of the other endings
   * applies.
   */
  | {
      readonly kind: "fall-back";
      /** Another image of the generation is in progress, so the switch is decided later. */
      readonly ifBusy: LastingEnding;
      /** The generation keeps its model. */
      readonly ifKept: LastingEnding;
    }
  | LastingEnding;

/** The endings that need no further lookup. */
export type LastingEnding =
  /** The whole lane pauses, and the attempt does not count. */
  | { readonly kind: "pause-lane"; readonly pauseMs: number }
  | {
      readonly kind: "retry";
      readonly countsTry: boolean;
      /** The number of attempts that the backoff grows with. */
      readonly backOffTries: number;
      readonly retryAfterMs: number | undefined;
    }
  /** The generation fails and its hold is released. */
  | { readonly kind: "fail" };

/** A provider that failed twice rarely succeeds the third time. */
const triesBeforeFallback = 2;

/** Decides how a failed attempt ends. Pure. */
export function decideEnding(facts: TryFacts): Ending {
  if (facts.isStale) return { kind: "stale" };
  if (facts.isLeaving && facts.isRetryable) return { kind: "hand-back" };
  const ifKept = retryOrFail(facts, facts.isRetryable);
  if (!wantsFallback(facts)) return ifKept;
  return { kind: "fall-back", ifBusy: retryOrFail(facts, true), ifKept };
}

function wantsFallback({ fallBack, tries, maxTries }: TryFacts): boolean {
  switch (fallBack) {
    case "never":
      return false;
    case "at-once":
      return true;
    case "after-tries":
      return tries >= Math.min(triesBeforeFallback, maxTries);
  }
}

function retryOrFail(facts: TryFacts, canRetry: boolean): LastingEnding {
  const { attempt, tries, maxTries, pauseLaneMs, retryAfterMs } = facts;
  // A Retry-After of the provider or an unavailable service does not count as an attempt: only the
  // deadline ends such a render.
  const countsTry = pauseLaneMs === null && !facts.isUncounted && !facts.isServiceUnavailable;
  if (!canRetry || (countsTry && tries >= maxTries)) return { kind: "fail" };
  if (pauseLaneMs !== null) return { kind: "pause-lane", pauseMs: pauseLaneMs };
  // `tries` does not grow when attempts do not count. Without a Retry-After, the backoff then grows
  // with the claims, so that an unavailable service is not called constantly.
  const backOffTries = countsTry || retryAfterMs !== undefined ? tries : attempt;
  return { kind: "retry", countsTry, backOffTries, retryAfterMs };
}
