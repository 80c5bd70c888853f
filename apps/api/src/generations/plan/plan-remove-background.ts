import type { GenerationPlan, RemoveBackgroundRequest, Strictness } from "@atelier/schemas";
import { planTool } from "./plan-tool.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans the removal of a background. Only a worker, which decodes the image, finds out whether the model can
 * tell the background from the rest.
 *
 * @throws AppError when the model does not exist or does not remove backgrounds.
 */
export function planRemoveBackground(
  body: RemoveBackgroundRequest,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
): GenerationPlan {
  const task = { kind: "remove-background" } as const;
  return planTool({ operation: task.kind, body, task }, accountStrictness, dependencies);
}
