import type { GenerationPlan, Strictness, VariationsRequest } from "@atelier/schemas";
import { planTool } from "./plan-tool.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans variations of an image, which differ in their seeds.
 *
 * @throws AppError when the model does not exist or lacks the operation.
 */
export function planVariations(
  body: VariationsRequest,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
): GenerationPlan {
  const { n = 1, strength = null } = body;
  return planTool(
    {
      operation: "variations",
      body: { ...body, n },
      task: { kind: "variations", strength },
      isSeeded: true,
    },
    accountStrictness,
    dependencies,
  );
}
