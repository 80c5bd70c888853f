import type { Claim } from "@atelier/generations";
import type { ProviderOutcome } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "./dependencies.ts";
import { CallFailed } from "./give-back.ts";

/** The longest that a render waits before it asks again: the circuit may close early. */
const longestWaitMs = 10_000;
const wrongWithProvider: ReadonlySet<ProviderOutcome["kind"]> = new Set([
  "unavailable",
  "unknown",
  "out-of-quota",
]);

/**
 * Lets a call through unless the lane's circuit is open.
 *
 * @throws CallFailed to come back later, which costs the render no try.
 */
export async function enterLane(
  { lane }: Claim,
  { laneHealth, laneSettings }: RenderDependencies,
): Promise<void> {
  const waitMs = await laneHealth.admit(lane, laneSettings.get(lane)?.timeoutMs ?? 0);
  if (waitMs === null) return;
  throw new CallFailed(providerDoesNotAnswer(lane, waitMs), null, {
    givesTryBack: true,
    otherModel: "at-once",
  });
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
 * @param signal of the render: a call that it cut short says nothing about the provider.
 */
export async function countOutcome(
  { lane, renderId }: Claim,
  outcome: ProviderOutcome,
  signal: AbortSignal,
  { laneHealth, laneSettings, logger }: RenderDependencies,
): Promise<void> {
  try {
    if (!wrongWithProvider.has(outcome.kind)) return await laneHealth.recordAnswer(lane);
    const breaker = laneSettings.get(lane)?.breaker;
    if (breaker == null || signal.aborted) return;
    await laneHealth.recordFailure({
      lane,
      renderId,
      reason: "message" in outcome ? `${outcome.kind}: ${outcome.message}` : outcome.kind,
      // Nothing but a payment helps against an empty account: nobody needs to find out again.
      limits: outcome.kind === "out-of-quota" ? { ...breaker, failures: 1 } : breaker,
    });
  } catch (error) {
    logger.warn({ err: error, lane }, "the health of a lane could not be written");
  }
}
