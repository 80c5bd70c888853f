import type { BreakerLimits, Claim, RecordedOutcome } from "@atelier/generations";
import type { ProviderOutcome } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "./dependencies.ts";
import { TryFailed } from "./failures.ts";
import { laneOf } from "./lanes.ts";

/** The longest that a render waits before it asks again: the circuit may close early. */
const longestWaitMs = 10_000;

/** A provider that asks for more patience than this is away for so long; less is sat out in the lane. */
export const longestPauseMs = 30_000;

const wrongWithProvider: ReadonlySet<ProviderOutcome["kind"]> = new Set([
  "unavailable",
  "unknown",
  "out-of-quota",
]);

/**
 * Lets a call through unless the lane's circuit is open.
 *
 * @throws TryFailed to come back later, which costs the render no try.
 */
export async function enterLane(
  { lane }: Claim,
  { laneHealth, lanes }: RenderDependencies,
): Promise<void> {
  const waitMs = await laneHealth.permitCall(lane, laneOf(lanes, lane).timeoutMs);
  if (waitMs === null) return;
  throw leftAlone(lane, waitMs, null);
}

/**
 * The circuit of the render's lane is open: it comes back later, which costs it no try, or is made by
 * another model.
 *
 * @param outcome what is recorded of the call that was made; null for none.
 */
export function leftAlone(
  lane: string,
  waitMs: number,
  outcome: RecordedOutcome | null,
): TryFailed {
  const error = providerDoesNotAnswer(lane, waitMs);
  return new TryFailed(error, outcome, { givesTryBack: true, fallBack: "at-once" });
}

function providerDoesNotAnswer(provider: string, waitMs: number): AppError {
  const message =
    "The provider of this model does not answer. Nothing was charged; use another model, or try again later.";
  return new AppError("provider_unavailable", message, {
    details: { provider },
    retryable: true,
    retryAfterMs: Math.min(waitMs, longestWaitMs),
  });
}

/**
 * Counts what came of a call. A lane that cannot be counted is no reason to lose an image.
 *
 * @param callMs how long it took, in milliseconds.
 * @param signal of the render: a call that it cut short says nothing about the provider.
 */
export async function countOutcome(
  { lane, renderId }: Claim,
  outcome: ProviderOutcome,
  callMs: number,
  signal: AbortSignal,
  { laneHealth, lanes, logger }: RenderDependencies,
): Promise<void> {
  try {
    if (!isAway(outcome)) return await laneHealth.recordAnswer(lane, callMs);
    const { breaker } = laneOf(lanes, lane);
    if (breaker === null || signal.aborted) return;
    await laneHealth.recordFailure({
      lane,
      renderId,
      reason: "message" in outcome ? `${outcome.kind}: ${outcome.message}` : outcome.kind,
      limits: limitsFor(outcome, breaker),
      callMs,
    });
  } catch (error) {
    logger.warn({ err: error, lane }, "the health of a lane could not be written");
  }
}

function isAway(outcome: ProviderOutcome): boolean {
  return wrongWithProvider.has(outcome.kind) || longWaitOf(outcome) !== null;
}

/** How long the provider says that it is away, where that is longer than a lane is made to wait. */
export function longWaitOf(outcome: ProviderOutcome): number | null {
  const waitMs = "retryAfterMs" in outcome ? (outcome.retryAfterMs ?? 0) : 0;
  return waitMs > longestPauseMs ? waitMs : null;
}

/** Where the provider itself says that it is away, nobody needs to find out again. */
function limitsFor(outcome: ProviderOutcome, breaker: BreakerLimits): BreakerLimits {
  if (outcome.kind === "out-of-quota") return { ...breaker, failures: 1 };
  const coolDownMs = longWaitOf(outcome);
  return coolDownMs === null ? breaker : { failures: 1, coolDownMs };
}
