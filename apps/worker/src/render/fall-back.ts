import {
  switchModel,
  type CallCost,
  type Claim,
  type RecordedOutcome,
} from "@atelier/generations/claims";
import { findFallback } from "@atelier/models";
import type { RenderVerdict } from "@atelier/queue";
import type { GenerationError } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";
import { dispatchNext } from "./dispatch-next.ts";

type FallBackResult =
  /** The generation now uses another model; `verdict` says what the queue must do. */
  | { readonly kind: "switched"; readonly verdict: RenderVerdict }
  /** Another image of the generation is in progress; the switch is decided when it ends. */
  | { readonly kind: "busy" }
  | { readonly kind: "kept" };

/**
 * Switches the generation of a claim to its model's fallback, if one can render it at no higher price
 * and no image of the generation exists yet.
 */
export async function fallBack(
  claim: Claim,
  failure: {
    readonly error: GenerationError;
    readonly callOutcome: RecordedOutcome | null;
    readonly callCost: CallCost | null;
    /** See `switchModel`. */
    readonly ifBusy: { readonly usedUp: boolean } | null;
  },
  { database, catalogue, lanes, laneHealth, queues, logger }: RenderDependencies,
): Promise<FallBackResult> {
  if (catalogue.entryOf(claim.model)?.fallback == null) return { kind: "kept" };
  const result = await switchModel(database, claim, {
    ...failure,
    choose(demands) {
      const found = findFallback(
        catalogue,
        claim.model,
        demands,
        ({ provider }) => lanes.has(provider) && laneHealth.stateOf(provider).kind === "closed",
      );
      if (found === null) return null;
      const { entry, priceMicroEur } = found;
      return { model: entry.id, lane: entry.provider, priceMicroEur };
    },
  });
  if (result.kind !== "switched") return result;
  const { generationId, lane } = claim;
  logger.warn({ generationId, from: claim.model, lane }, "generation fell back to another model");
  // The current queue entry of this lane ends only after this function; it is retried instead of queued.
  const otherLanes = result.ready.filter((render) => render.lane !== lane);
  await dispatchNext(otherLanes, claim, { queues, logger });
  return {
    kind: "switched",
    verdict:
      otherLanes.length > 0
        ? { kind: "done" }
        : { kind: "retry", reason: "the generation fell back to another model", delayMs: 0 },
  };
}
