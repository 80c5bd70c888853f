import { chargeGeneration } from "@atelier/accounts";
import type { Decision } from "@atelier/generations/accept";
import {
  earlierCalls,
  recordIntent,
  type Claim,
  type EarlierCall,
} from "@atelier/generations/claims";
import type { Provider } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import { enterLane } from "../../lanes/lane-circuit.ts";
import { laneOf } from "../../lanes/lanes.ts";
import { atServer, findResumable } from "../../servers/at-server.ts";
import type { PoolServer } from "../../servers/server-pool.ts";
import { StaleClaim } from "../failures.ts";
import { readPreviousTurn } from "../kept-turns.ts";
import { mustBeStaged, priceRenderCall, usageOf } from "../price-render-call.ts";
import { findStaged, stage, type GeneratedImage } from "../staging.ts";
import { callProvider, type CalledProvider, type RunningTry } from "./call-provider.ts";
import { explainOutcome } from "./explain-outcome.ts";
import type { ProviderInputs } from "./prepare-inputs.ts";

/**
 * Generates the image and calls the provider at most once whenever that can be ensured. In this
 * order: use the bytes that an earlier attempt staged; resume a call with a known request id;
 * otherwise record the intent, make the call and stage its bytes at once.
 *
 * @throws TryFailed with the outcome of the call; StaleClaim when another worker took over.
 */
export async function generate(
  claim: Claim,
  input: { readonly decision: Decision; readonly inputs: ProviderInputs },
  running: RunningTry,
  dependencies: RenderDependencies,
): Promise<GeneratedImage> {
  const { database, storage, lanes, laneHealth, logger, failpoint } = dependencies;
  const { provider, pool } = laneOf(lanes, claim.lane);
  const { record, signal } = running;
  const earlier =
    claim.attempt === 1 ? [] : await earlierCalls(database.repeatable, claim.renderId);
  // Calls to other models are void after a switch to the claim's model.
  const ownCalls = earlier.filter(({ model }) => model === claim.model);
  const callIds = ownCalls.map(({ id }) => id);
  const staged = await findStaged(claim, callIds, storage);
  if (staged !== null) {
    running.leave.forbid();
    const cost = staged.cost ?? priceRenderCall(claim, "image", {}, dependencies);
    running.record.callPriced(cost);
    return { ...staged, cost };
  }

  const open = findCallToResume(provider, ownCalls);
  const resumeAt =
    pool === null || open === undefined
      ? null
      : await findResumable(pool, open, signal, dependencies);
  // Calls to a server that is gone are lost with it.
  const toResume = pool !== null && resumeAt === null ? undefined : open;
  if (toResume === undefined) {
    // Lost calls count for the image, whichever model they called. Servers of the operator cost nothing.
    if (pool === null) assertMayRepeat(provider, earlier);
    await enterLane(claim, dependencies);
  }
  // Before the intent: a call that was not made must not count as lost while the storage is down.
  const previousTurn = await readPreviousTurn(claim, dependencies);
  let callId = toResume?.id ?? null;

  async function call(server: PoolServer | null): Promise<CalledProvider> {
    running.leave.signal.throwIfAborted();
    running.leave.forbid();
    callId ??= await recordIntent(database.repeatable, claim, input.decision, server?.url ?? null);
    if (callId === null) throw new StaleClaim();
    failpoint("after-intent");
    const resumeRequestId = toResume?.requestId ?? null;
    const usage = toResume === undefined ? {} : usageOf(toResume);
    const { inputs } = input;
    const recorded = { id: callId, server, resumeRequestId, previousTurn, inputs, usage };
    return callProvider(claim, recorded, running, dependencies);
  }

  const { outcome, cost } =
    pool === null
      ? await call(null)
      : await atServer(claim, { pool, resumeAt, earlier }, running, dependencies, call);
  if (callId === null) throw new StaleClaim();
  failpoint("after-provider-answer");
  if (outcome.kind === "invalid-request" && outcome.wasExpensive === true) {
    await chargeKeyOf(claim, dependencies);
  }
  if (outcome.kind !== "image") {
    throw explainOutcome(outcome, provider, laneHealth.stateOf(claim.lane));
  }
  const { image, turn, svg = null } = outcome;
  dependencies.noteLossyAnswer(claim.lane, image);
  const generated = { callId, image, turn, svg, cost };
  const again = priceRenderCall(claim, "image", {}, dependencies);
  const kept = { ...generated, cost: mustBeStaged(cost, again) ? cost : null };
  await record.step("staging", () => stage(claim, kept, storage, logger, signal));
  return generated;
}

/** Part of a minute's requests that a request with too much work costs. */
const expensiveShare = 0.25;

/** The error of the request matters more than a charge that cannot be written. */
async function chargeKeyOf(
  { generationId }: Claim,
  { database, logger }: RenderDependencies,
): Promise<void> {
  await chargeGeneration(database, generationId, expensiveShare).catch((err: unknown) =>
    logger.warn({ err, generationId }, "the work of a request was not charged"),
  );
}

/** The call whose response was lost but can be requested again by its request id. */
function findCallToResume(
  { lostCall }: Provider,
  calls: readonly EarlierCall[],
): EarlierCall | undefined {
  if (lostCall !== "resume-by-request-id") return undefined;
  return calls.find(({ outcome, requestId }) => outcome === null && requestId !== null);
}

/**
 * A lost call may be repeated once, at the operator's cost: its outcome is unknown, and it may have
 * been paid for. Calls to providers that support idempotency keys may be repeated without limit.
 */
function assertMayRepeat(provider: Provider, earlier: readonly EarlierCall[]): void {
  if (provider.lostCall === "repeat-with-same-key") return;
  const lost = earlier.filter(({ outcome }) => outcome === null || outcome === "unknown");
  if (lost.length < 2) return;
  throw new AppError(
    "provider_error",
    "Two responses of the provider for this image were lost. Nothing was charged; please try again.",
  );
}
