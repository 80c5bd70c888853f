import { priceOfAfter } from "@atelier/models";
import type { GenerationPlan } from "@atelier/schemas";

/** The price of the steps after all images of a plan: no model and no batch changes it. */
export function priceOfSteps({ renders }: Pick<GenerationPlan, "renders">): bigint {
  return priceOfAfter(renders.flatMap(({ spec }) => spec.after ?? []));
}
