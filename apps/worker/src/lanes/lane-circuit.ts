import type { BreakerLimits, Claim, RecordedOutcome } from "@atelier/generations/claims";
import type { ProviderOutcome } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";
import { TryFailed } from "../render/failures.ts";
import { laneOf } from "./lanes.ts";

/** Maximum wait of a render before it checks again, since the circuit may close early. */
const longestWaitMs = 10_000;

/** A longer Retry-After opens the circuit; a shorter one pauses the lane. */
export const longestPauseMs = 30_000;

/**
 * Time after which a half-open lane allows another probe. The worker that made the first one may have
 * died.
 */
export const longestProbeMs = 10_000;

const wrongWithProvider: ReadonlySet<ProviderOutcome["kind"]> = new Set([
  "unavailable",
  "unknown",
  "timed-out",
  "out-of-quota",
]);

/**
 * Allows a call unless the lane's circuit is open.
 *
 * @throws TryFailed to retry later without counting the attempt.
 */
export async function enterLane(
  { lane }: Claim,
  { laneHealth, lanes }: RenderDependencies,
): Promise<void> {
  const waitMs = await laneHealth.permitCall(
    lane,
    Math.min(laneOf(lanes, lane).timeoutMs ?? longestProbeMs, longestProbeMs),
  );
  if (waitMs === null) return;
  throw circuitOpenFailure(lane, waitMs, null);
}

/**
 * Creates the failure of a render whose lane has an open circuit: it is retried later without
 * counting the attempt, or switched to another model.
 *
 * @param outcome the recorded outcome of the call; null when no call was made.
 */
export function circuitOpenFailure(
  lane: string,
  waitMs: number,
  outcome: RecordedOutcome | null,
): TryFailed {
  const error = providerUnavailable(lane, waitMs);
  return new TryFailed(error, outcome, { isUncounted: true, fallBack: "at-once" });
}

function providerUnavailable(provider: string, waitMs: number): AppError {
  const message =
    "The provider of this model is unavailable. Nothing was charged; use another model, or try again later.";
  return new AppError("provider_unavailable", message, {
    details: { provider },
    retryable: true,
    retryAfterMs: Math.min(waitMs, longestWaitMs),
  });
}

/**
 * Records the outcome of a call, unless this machine was too busy for it. An error in recording is logged
 * and does not fail the render.
 *
 * @param call.server URL of the called server of a pool, which has a circuit of its own; null for a lane
 *   with one circuit.
 * @param call.durationMs duration of the call, in milliseconds.
 * @param signal of the render; a call that it aborted says nothing about the provider.
 */
export async function countOutcome(
  { lane, renderId }: Claim,
  outcome: ProviderOutcome,
  call: { readonly server: string | null; readonly durationMs: number },
  signal: AbortSignal,
  { laneHealth, lanes, logger }: RenderDependencies,
): Promise<void> {
  if (outcome.kind === "unavailable" && outcome.isMachineBusy === true) return;
  const callMs = call.durationMs;
  const circuit = call.server ?? lane;
  try {
    if (!isUnavailable(outcome)) {
      await laneHealth.recordAnswer(circuit, callMs);
      // The lane's own circuit opens when all of its servers are down.
      if (circuit !== lane) await laneHealth.recordAnswer(lane, callMs);
      return;
    }
    const { breaker } = laneOf(lanes, lane);
    if (breaker === null || signal.aborted) return;
    await laneHealth.recordFailure({
      lane: circuit,
      renderId,
      reason: "message" in outcome ? `${outcome.kind}: ${outcome.message}` : outcome.kind,
      limits: limitsFor(outcome, breaker),
      callMs,
    });
  } catch (error) {
    logger.warn({ err: error, lane }, "the health of a lane could not be written");
  }
}

function isUnavailable(outcome: ProviderOutcome): boolean {
  return wrongWithProvider.has(outcome.kind) || longWaitOf(outcome) !== null;
}

/**
 * The provider's Retry-After in milliseconds if it exceeds the longest lane pause, otherwise null.
 */
export function longWaitOf(outcome: ProviderOutcome): number | null {
  const waitMs = "retryAfterMs" in outcome ? (outcome.retryAfterMs ?? 0) : 0;
  return waitMs > longestPauseMs ? waitMs : null;
}

/** Opens the circuit at the first failure when the provider itself reports that it is unavailable. */
function limitsFor(outcome: ProviderOutcome, breaker: BreakerLimits): BreakerLimits {
  if (outcome.kind === "out-of-quota") return { ...breaker, failures: 1 };
  const coolDownMs = longWaitOf(outcome);
  return coolDownMs === null ? breaker : { failures: 1, coolDownMs };
}
