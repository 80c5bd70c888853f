import {
  earlierCalls,
  findPreviousTurn,
  recordIntent,
  recordRequestId,
  type Claim,
  type Decision,
  type EarlierCall,
} from "@atelier/generations";
import type { Provider, ProviderReference } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";
import { StaleClaim } from "../failures.ts";
import { countOutcome, enterLane } from "../lane-circuit.ts";
import { laneOf } from "../lanes.ts";
import type { RenderRecord } from "../record-render.ts";
import { findStaged, stage, type Made } from "../staging.ts";
import { explainOutcome } from "./explain-outcome.ts";

/**
 * Has the provider make the image, at most once as far as that can be known. In this order:
 * bytes that an earlier try staged are used; a call whose request id is known is asked for again;
 * otherwise the intent is written, the call made, and its bytes staged before anything else.
 *
 * @throws TryFailed with what came of the call; StaleClaim when another worker took over.
 */
export async function generate(
  claim: Claim,
  decision: Decision,
  references: readonly ProviderReference[],
  { step, providerCalled }: RenderRecord,
  dependencies: RenderDependencies,
  signal: AbortSignal,
): Promise<Made> {
  const { database, storage, catalogue, lanes, laneHealth, logger, failpoint } = dependencies;
  const { provider, timeoutMs } = laneOf(lanes, claim.lane);
  const earlier =
    claim.attempt === 1 ? [] : await earlierCalls(database.repeatable, claim.renderId);
  // What another model was asked for is void since the generation has this one.
  const ownCalls = earlier.filter(({ model }) => model === claim.model);
  if (ownCalls.length > 0) {
    const staged = await findStaged(claim, storage);
    if (staged !== null) return staged;
  }
  const toResume =
    provider.lostCall === "resume-by-request-id"
      ? ownCalls.find(({ outcome, requestId }) => outcome === null && requestId !== null)
      : undefined;
  if (toResume === undefined) {
    // Counted for the image, whichever model's answers were lost.
    assertMayRepeat(provider, earlier);
    await enterLane(claim, dependencies);
  }
  const callId = toResume?.id ?? (await recordIntent(database.repeatable, claim, decision));
  if (callId === null) throw new StaleClaim();
  failpoint("after-intent");

  const previousTurn = await findPreviousTurn(database.repeatable, claim);
  const late = new AbortController();
  // No TimeoutError: on one, an adapter cancels the provider's job, and the next try may still have
  // its image (decision 014).
  const timer = setTimeout(() => late.abort(new Error("the lane's time is over")), timeoutMs);
  const call = () =>
    provider.generate(
      {
        model: catalogue.entryOf(claim.model)?.provider_model ?? claim.model,
        prompt: claim.spec.prompt,
        aspectRatio: claim.spec.aspectRatio,
        imageSize: claim.spec.imageSize,
        seed: claim.spec.seed,
        references,
        previousTurn,
      },
      {
        signal: AbortSignal.any([signal, late.signal]),
        key: claim.renderId,
        resumeRequestId: toResume?.requestId ?? null,
        onRequestId: (requestId) => recordRequestId(database.repeatable, callId, requestId),
      },
    );
  const calledAt = performance.now();
  const outcome = await step("model", call).finally(() => clearTimeout(timer));
  const callMs = performance.now() - calledAt;
  providerCalled(outcome.kind);
  await countOutcome(claim, outcome, callMs, signal, dependencies);
  failpoint("after-provider-answer");
  if (outcome.kind !== "image") {
    throw explainOutcome(outcome, provider, laneHealth.stateOf(claim.lane));
  }
  const made = { image: outcome.image, turn: outcome.turn };
  await step("staging", () => stage(claim, made, storage, logger, signal));
  return made;
}

/**
 * A lost call may be repeated once, at the operator's cost: what became of it is unknown, and it may
 * have been paid for. Providers that recognise the key of a repeated call may be asked again freely.
 */
function assertMayRepeat(provider: Provider, earlier: readonly EarlierCall[]): void {
  if (provider.lostCall === "repeat-with-same-key") return;
  const lost = earlier.filter(({ outcome }) => outcome === null || outcome === "unknown");
  if (lost.length < 2) return;
  throw new AppError(
    "provider_error",
    "Two answers for this image were lost on their way from the provider. Nothing was charged; please try again.",
  );
}
