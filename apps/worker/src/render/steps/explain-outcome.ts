import type { LaneState } from "@atelier/generations/claims";
import type { Provider, ProviderOutcome } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import { TryFailed, machineBusy, providerFailure } from "../failures.ts";
import { circuitOpenFailure, longestPauseMs, longWaitOf } from "../../lanes/lane-circuit.ts";

/** Minimum pause in milliseconds, also for a Retry-After of 0 or a date in the past. */
const minPauseMs = 1_000;

/**
 * Translates the outcome of a call without an image into an error for the client, a rule for the next
 * attempt, and the outcome to record.
 *
 * @param lane state of the lane after the call was counted.
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
      if (lane.kind === "open") return circuitOpenFailure(name, lane.retryAfterMs, "rate_limited");
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
        outcome.problem ??
          new AppError(
            "provider_error",
            "The provider does not accept this request. Change it, or use another model; nothing was charged.",
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
        // The provider made the image and will charge for it.
        "image",
      );
    case "unavailable":
      if (outcome.isMachineBusy === true) {
        return new TryFailed(machineBusy(new Error(outcome.message)), "unavailable", {
          isUncounted: true,
        });
      }
      if (lane.kind === "open" && longWaitOf(outcome) !== null) {
        return circuitOpenFailure(name, lane.retryAfterMs, "unavailable");
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
      // A call that can be resumed stays open for the next attempt.
      return new TryFailed(
        providerFailure("The provider's response was lost.", null, new Error(outcome.message)),
        provider.lostCall === "resume-by-request-id" ? null : "unknown",
      );
    case "timed-out":
      // Repeating it, here or at another provider, could be paid for twice and take as long.
      return new TryFailed(
        new AppError(
          "provider_error",
          "The provider did not answer in time. Nothing was charged; use a smaller image size or another model, or try again later.",
          { details: { provider: name }, cause: new Error(outcome.message) },
        ),
        "timed_out",
      );
  }
}

function pauseOf(retryAfterMs: number | null): number {
  return Math.min(Math.max(retryAfterMs ?? 0, minPauseMs), longestPauseMs);
}
