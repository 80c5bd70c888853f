import { assertDiagram } from "@atelier/models";
import type { DiagramRequest, DiagramTask, GenerationPlan, Strictness } from "@atelier/schemas";
import { readImageOptions } from "./image-options.ts";
import { planOperation } from "./plan-operation.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans a diagram.
 *
 * @throws AppError when the model does not exist or does not draw diagrams; `diagram_invalid` for a
 *   diagram in words or Mermaid that cannot be read.
 */
export function planDiagram(
  { metadata = {}, ...body }: DiagramRequest,
  accountStrictness: Strictness,
  { catalogue }: PlanDependencies,
): GenerationPlan {
  const { prompt = "", source = null, language = "text", direction = null, palette = [] } = body;
  const task: DiagramTask = { kind: "diagram", source, language, direction, palette };
  const plan = planOperation(
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
  assertDiagram(task, prompt);
  return plan;
}
