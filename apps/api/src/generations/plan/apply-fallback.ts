import { findFallback } from "@atelier/models";
import { AppError, countReferenceImages, totalPrice, type GenerationPlan } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";

/**
 * Replaces the model of a plan by its fallback while the circuit of the model's provider is open. The price is the
 * fallback's, which is never higher.
 *
 * @param isInBatch whether the prices of batches apply.
 * @throws AppError `provider_unavailable` when there is no usable fallback.
 */
export function applyFallback(
  plan: GenerationPlan,
  isInBatch: boolean,
  { catalogue, laneHealth }: Needs<"catalogue" | "laneHealth">,
): GenerationPlan {
  const [first] = plan.renders;
  const state = laneHealth.stateOf(first?.lane ?? "");
  // A half-open circuit needs a probe, so its renders are let through.
  if (state.kind !== "open") return plan;
  const demands = {
    kind: plan.kind,
    isInBatch,
    priceMicroEur: totalPrice({ ...plan.price, stepsMicroEur: 0n }),
    capabilities: first?.spec.capabilities ?? [],
    parameters: first?.spec.parameters ?? null,
    images: plan.renders.map(({ spec }) => ({
      aspectRatio: spec.aspectRatio,
      imageSize: spec.imageSize,
      pixels: spec.pixels ?? null,
      referenceImages: countReferenceImages(spec),
    })),
  };
  const found = findFallback(
    catalogue,
    plan.model,
    demands,
    ({ provider }) => laneHealth.stateOf(provider).kind === "closed",
  );
  if (found === null) {
    throw new AppError(
      "provider_unavailable",
      `The provider of ${plan.model} is unavailable at the moment. Use another model, or try again later.`,
      { details: { model: plan.model, provider: first?.lane }, retryAfterMs: state.retryAfterMs },
    );
  }
  const { entry, priceMicroEur } = found;
  const eachMicroEur = priceMicroEur / BigInt(plan.price.count);
  const renders = plan.renders.map((render) => ({
    ...render,
    model: entry.id,
    lane: entry.provider,
  }));
  return { ...plan, price: { ...plan.price, eachMicroEur }, renders };
}
