import { findFallback } from "@atelier/models";
import { AppError, type GenerationPlan } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * Has a plan made by the fallback of its model while the provider of that model is left alone because
 * it does not answer. It costs what the fallback costs, which is never more.
 *
 * @throws AppError `provider_unavailable` when nothing else can make it.
 */
export function planWithFallback(
  plan: GenerationPlan,
  { catalogue, laneHealth }: Pick<ApiDependencies, "catalogue" | "laneHealth">,
): GenerationPlan {
  const [first] = plan.renders;
  const state = laneHealth.stateOf(first?.lane ?? "");
  // A half-open circuit needs a call to find out whether the provider is back: its renders go through.
  if (state.kind !== "open") return plan;
  const demands = {
    kind: plan.kind,
    priceMicroEur: plan.priceMicroEur,
    images: plan.renders.map(({ spec }) => ({
      aspectRatio: spec.aspectRatio,
      imageSize: spec.imageSize,
      referenceImages: spec.references.length,
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
      `The provider of ${plan.model} does not answer at the moment. Use another model, or try again later.`,
      { details: { model: plan.model, provider: first?.lane }, retryAfterMs: state.retryAfterMs },
    );
  }
  const { entry, priceMicroEur } = found;
  const renders = plan.renders.map((render) => ({
    ...render,
    model: entry.id,
    lane: entry.provider,
  }));
  return { ...plan, priceMicroEur, renders };
}
