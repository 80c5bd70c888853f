import { switchModel, type Claim, type RecordedOutcome } from "@atelier/generations";
import { findFallback } from "@atelier/models";
import type { RenderVerdict } from "@atelier/queue";
import type { GenerationError } from "@atelier/schemas";
import type { RenderDependencies } from "./dependencies.ts";
import { dispatchNext } from "./dispatch-next.ts";

/**
 * Gives the generation of a claim to its model's fallback, if there is one that can make it for no
 * more money and nothing of it has been made.
 *
 * @returns what is left to do for the queue; `later` when another image of it is being made, which
 *   decides; null when the model stays.
 */
export async function fallBack(
  claim: Claim,
  failure: { readonly error: GenerationError; readonly callOutcome: RecordedOutcome | null },
  { database, catalogue, lanes, laneHealth, queues, logger }: RenderDependencies,
): Promise<RenderVerdict | "later" | null> {
  if (catalogue.entryOf(claim.model)?.fallback == null) return null;
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
  if (result.kind === "busy") return "later";
  if (result.kind === "kept") return null;
  const { generationId, lane } = claim;
  logger.warn({ generationId, from: claim.model, lane }, "generation fell back to another model");
  // A job of the same lane is this one, which ends only after this: it is tried again instead.
  const elsewhere = result.ready.filter((render) => render.lane !== lane);
  await dispatchNext(elsewhere, claim, { queues, logger });
  if (elsewhere.length > 0) return { kind: "done" };
  return { kind: "retry", reason: "the generation fell back to another model", delayMs: 0 };
}
