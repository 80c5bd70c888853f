import {
  AppError,
  type GenerationPlan,
  type Strictness,
  type VectorizeRequest,
} from "@atelier/schemas";
import { planTool } from "./plan-tool.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans the tracing of an image.
 *
 * @throws AppError when the model does not exist, lacks the operation, or takes no number of colours.
 */
export function planVectorize(
  body: VectorizeRequest,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
): GenerationPlan {
  const { id, procedural } = dependencies.catalogue.find(body.model);
  if (body.colors !== undefined && !procedural) {
    throw new AppError(
      "model_not_capable",
      `${id} chooses the number of colours. Leave colors out, or use builtin-tracer.`,
    ).at("colors");
  }
  return planTool(
    { operation: "vectorize", body, task: { kind: "vectorize", colors: body.colors ?? null } },
    accountStrictness,
    dependencies,
  );
}
