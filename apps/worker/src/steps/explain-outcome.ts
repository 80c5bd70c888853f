import type { LaneState } from "@atelier/generations";
import type { Provider, ProviderOutcome } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import { TryFailed, providerFailure } from "../failures.ts";
import { leftAlone, longestPauseMs, longWaitOf } from "../lane-circuit.ts";

/** The least pause, in milliseconds: also of a provider that says 0, or a moment that has passed. */
const leastPauseMs = 1_000;

/**
 * What a call that gave no image means: for the client, for the next try, and for the record.
 *
 * @param lane as it is since the call was counted.
 */
export function explainOutcome(
  outcome: Exclude<ProviderOutcome, { kind: "image" }>,
  provider: Provider,
  lane: LaneState,
): TryFailed {
  const { name } = provider;
  switch (outcome.kind) {
    case "refused":
      return new TryFailed(
        new AppError(
          "provider_refused",
          `The provider's own policy refused this image. Change the prompt; nothing was charged.`,
          { details: { provider: name, stage: outcome.stage, categories: outcome.categories } },
        ),
        "refused",
      );
    case "rate-limited":
      if (lane.kind === "open") return leftAlone(name, lane.retryAfterMs, "rate_limited");
      return new TryFailed(
        providerFailure("The provider is busy.", outcome.retryAfterMs),
        "rate_limited",
        { pauseLaneMs: pauseOf(outcome.retryAfterMs) },
      );
    case "out-of-quota":
      return new TryFailed(
        new AppError(
          "provider_unavailable",
          "This model cannot be used at the moment. Use another one, or try again later; nothing was charged.",
          { details: { provider: name }, retryAfterMs: 60_000, cause: new Error(outcome.message) },
        ),
        "out_of_quota",
        { fallBack: "at-once" },
      );
    case "invalid-request":
      return new TryFailed(
        new AppError(
          "provider_error",
          "The provider does not take this request. Change it, or use another model; nothing was charged.",
          { details: { provider: name }, cause: new Error(outcome.message) },
        ),
        "invalid_request",
      );
    case "wrong-size":
      return new TryFailed(
        new AppError(
          "provider_error",
          "The provider made this image in another size. Use another image size, aspect ratio or model; nothing was charged.",
          { details: { provider: name }, cause: new Error(outcome.message) },
        ),
        // It was made: its provider will ask for the money.
        "image",
      );
    case "unavailable":
      if (lane.kind === "open" && longWaitOf(outcome) !== null) {
        return leftAlone(name, lane.retryAfterMs, "unavailable");
      }
      return new TryFailed(
        providerFailure(
          "The provider could not make the image.",
          outcome.retryAfterMs && Math.min(outcome.retryAfterMs, longestPauseMs),
          new Error(outcome.message),
        ),
        "unavailable",
        { fallBack: "after-tries" },
      );
    case "unknown":
      // A call that can be resumed stays open for the next try.
      return new TryFailed(
        providerFailure("The provider's answer was lost.", null, new Error(outcome.message)),
        provider.lostCall === "resume-by-request-id" ? null : "unknown",
      );
  }
}

function pauseOf(retryAfterMs: number | null): number {
  return Math.min(Math.max(retryAfterMs ?? 0, leastPauseMs), longestPauseMs);
}
