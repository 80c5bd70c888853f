import type { GenerationPlan, Strictness, EraseRequest } from "@atelier/schemas";
import { planTool } from "./plan-tool.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans the removal of what a mask marks. A worker checks the size of the mask.
 *
 * @throws AppError when the model does not exist or lacks the operation.
 */
export function planErase(
  body: EraseRequest,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
): GenerationPlan {
  return planTool(
    { operation: "erase", body, task: { kind: "erase" } },
    accountStrictness,
    dependencies,
  );
}
