import type { GenerationPlan, Strictness, UpscaleRequest } from "@atelier/schemas";
import { planTool } from "./plan-tool.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans the scaling of an image. A worker, which knows the size of the image, checks that of the result.
 *
 * @throws AppError when the model does not exist or does not scale images.
 */
export function planUpscale(
  body: UpscaleRequest,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
): GenerationPlan {
  const { factor, height = 0, width = 0 } = body;
  const scale = factor ?? { width, height };
  return planTool(
    { operation: "upscale", body, task: { kind: "upscale", scale } },
    accountStrictness,
    dependencies,
  );
}
