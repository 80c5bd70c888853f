import type { GenerationPlan, Strictness, OutpaintRequest } from "@atelier/schemas";
import { planTool } from "./plan-tool.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans the extension of an image. A worker, which knows the size of the image, checks that of the result.
 *
 * @throws AppError when the model does not exist or lacks the operation.
 */
export function planOutpaint(
  body: OutpaintRequest,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
): GenerationPlan {
  const { top = 0, right = 0, bottom = 0, left = 0 } = body;
  return planTool(
    {
      operation: "outpaint",
      body,
      task: { kind: "outpaint", margins: { top, right, bottom, left } },
      isSeeded: true,
    },
    accountStrictness,
    dependencies,
  );
}
