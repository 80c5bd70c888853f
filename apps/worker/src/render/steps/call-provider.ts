import { isTransient } from "@atelier/database";
import { recordRequestId, type Claim } from "@atelier/generations/claims";
import {
  mergeParameters,
  mergeUsage,
  type PricedCall,
  type Provider,
  type ProviderOutcome,
  type VendorUsage,
} from "@atelier/models";
import type { RenderSpec } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import { countOutcome } from "../../lanes/lane-circuit.ts";
import { laneOf, timeoutOf } from "../../lanes/lanes.ts";
import { countsCost, priceRenderCall, requestedPixels } from "../price-render-call.ts";
import type { PoolServer } from "../../servers/server-pool.ts";
import type { Leave } from "../leave.ts";
import type { RenderRecord } from "../record-render.ts";
import { createProgressReport } from "../report-progress.ts";
import type { ProviderInputs } from "./prepare-inputs.ts";

/** An attempt in progress: where it is recorded, and the signal that aborts it. */
export interface RunningTry {
  readonly record: RenderRecord;
  readonly signal: AbortSignal;
  /** Decides whether the attempt ends as soon as its worker begins to stop. */
  readonly leave: Omit<Leave, typeof Symbol.dispose>;
}

/** A call that has ended, with what it cost. */
export interface CalledProvider {
  readonly outcome: ProviderOutcome;
  readonly cost: PricedCall;
}

/** A call whose intent is recorded. */
interface RecordedCall {
  readonly id: string;
  /** The server to call; null when the provider has one only. */
  readonly server: PoolServer | null;
  /** The request id of a call whose response was lost; null for a new call. */
  readonly resumeRequestId: string | null;
  /** The provider's state after the previous scene; null for other renders. */
  readonly previousTurn: unknown;
  readonly inputs: ProviderInputs;
  /** The vendor's statement when it accepted a call that is resumed. */
  readonly usage: VendorUsage;
}

/**
 * Calls the provider of the claim's lane within its timeout, prices the call, and counts the outcome for
 * the metrics and the circuit breaker. A call that exceeds the timeout may have been paid for: it is
 * `timed-out` unless the next attempt can get its image.
 */
export async function callProvider(
  claim: Claim,
  { id, server, resumeRequestId, previousTurn, inputs, usage: earlierUsage }: RecordedCall,
  { record, signal, leave }: RunningTry,
  dependencies: RenderDependencies,
): Promise<CalledProvider> {
  const { database, catalogue, lanes, logger } = dependencies;
  const lane = laneOf(lanes, claim.lane);
  const { provider } = server ?? lane;
  const pixels = requestedPixels(claim, catalogue);
  const timeoutMs = timeoutOf(lane, { imageSize: claim.spec.imageSize, pixels });
  const entry = catalogue.entryOf(claim.model);
  const model = entry?.provider_model ?? claim.model;
  const parameters = mergeParameters(entry?.defaults ?? {}, claim.spec.parameters);
  let usage = earlierUsage;
  let isIdKnown = false;
  const idIsKnown = () => {
    isIdKnown = true;
    // Another worker gets the image of the same call.
    if (provider.lostCall === "resume-by-request-id") leave.allow();
  };
  if (resumeRequestId !== null) idIsKnown();
  const price = (outcome: ProviderOutcome["kind"]) =>
    priceRenderCall(claim, outcome, usage, dependencies);
  const late = new AbortController();
  // Not a TimeoutError: on one, an adapter cancels the provider's job, but the next attempt may still
  // get its image (decision 014).
  const timer = setTimeout(
    () => late.abort(new Error("the provider timeout has passed")),
    timeoutMs,
  );
  const call = () =>
    provider.generate(
      { ...optionsOf(claim.spec), ...inputs, model, parameters, previousTurn },
      {
        signal: AbortSignal.any([signal, late.signal, ...(server === null ? [] : [server.gone])]),
        accountId: claim.accountId,
        key: claim.renderId,
        resumeRequestId,
        onProgress: createProgressReport(claim, database),
        onUsage(stated) {
          usage = mergeUsage(usage, stated);
        },
        onRequestId: async (requestId) => {
          // Stated costs are charged even if the result is lost.
          const cost = usage.cost === undefined ? null : price("unknown");
          try {
            if (await recordRequestId(database.repeatable, id, requestId, cost)) idIsKnown();
          } catch (error) {
            if (!isTransient(error)) throw error;
            // The response is staged without the database; only a lost one needs the id.
            logger.warn({ err: error, renderId: claim.renderId }, "request id not recorded");
          }
        },
      },
    );
  const calledAt = performance.now();
  const answer = await record.step("model", call).finally(() => {
    clearTimeout(timer);
    leave.forbid();
  });
  const isLate = late.signal.aborted && answer.kind === "unknown";
  const outcome = explainTimeout(
    isLate ? { kind: "timed-out", message: `no answer within ${timeoutMs / 1_000} s` } : answer,
    isRecognised(provider, isIdKnown),
  );
  const cost = price(outcome.kind);
  const isOpen = outcome.kind === "unknown" && provider.lostCall === "resume-by-request-id";
  record.providerCalled(outcome.kind, cost, countsCost(isOpen, earlierUsage, usage));
  const counted = { server: server?.url ?? null, durationMs: performance.now() - calledAt };
  await countOutcome(claim, outcome, counted, signal, dependencies);
  return { outcome, cost };
}

/** A call that timed out is one with a lost response if the next attempt can get its image. */
function explainTimeout(outcome: ProviderOutcome, isRecognisedAgain: boolean): ProviderOutcome {
  if (outcome.kind !== "timed-out" || !isRecognisedAgain) return outcome;
  return { ...outcome, kind: "unknown" };
}

/** Whether another attempt can get the image of a call without paying for it again. */
function isRecognised({ lostCall }: Provider, isIdKnown: boolean): boolean {
  switch (lostCall) {
    case "resume-by-request-id":
      return isIdKnown;
    case "repeat-with-same-key":
      return true;
    case "repeat-blindly":
      return false;
  }
}

/** The part of a request that is the same for every attempt. */
function optionsOf({ rawPrompt = false, ...spec }: RenderSpec) {
  const { prompt, aspectRatio, imageSize, seed, background = "opaque" } = spec;
  const { negativePrompt = null, pixels } = spec;
  return {
    prompt,
    rawPrompt,
    aspectRatio,
    imageSize,
    ...(pixels !== undefined && { pixels }),
    seed,
    negativePrompt,
    background,
  };
}
