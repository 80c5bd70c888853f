import type { DiagramRequest, DiagramTask, GenerationPlan, Strictness } from "@atelier/schemas";
import { readImageOptions } from "./image-options.ts";
import { planOperation } from "./plan-operation.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans a diagram, whose syntax `checkDiagram` checks.
 *
 * @throws AppError when the model does not exist or does not draw diagrams.
 */
export function planDiagram(
  { metadata = {}, ...body }: DiagramRequest,
  accountStrictness: Strictness,
  { catalogue }: PlanDependencies,
): GenerationPlan {
  const { prompt = "", source = null, language = "text", direction = null, palette = [] } = body;
  const task: DiagramTask = { kind: "diagram", source, language, direction, palette };
  return planOperation(
    {
      operation: "diagram",
      body,
      metadata,
      defaults: { language },
      prompt,
      aspectRatio: null,
      count: 1,
      options: readImageOptions({ output: body.output }, "diagram"),
      task,
      references: [],
      referenceImages: 0,
      hasClientImages: false,
      texts: source === null ? [] : [{ path: "source", text: source }],
    },
    accountStrictness,
    catalogue,
  );
}
