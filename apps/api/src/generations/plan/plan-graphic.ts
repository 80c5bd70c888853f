import type { GenerationPlan, GraphicRequest, Strictness } from "@atelier/schemas";
import { readImageOptions } from "./image-options.ts";
import { planOperation } from "./plan-operation.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans an icon, a logo or an illustration, or several that differ in their seeds.
 *
 * @throws AppError when the model does not exist or lacks a requested feature.
 */
export function planGraphic(
  { metadata = {}, ...body }: GraphicRequest,
  accountStrictness: Strictness,
  { catalogue }: PlanDependencies,
): GenerationPlan {
  const { background = "transparent", palette = [], n: count = 1 } = body;
  const { seed, negative_prompt, output } = body;
  const options = readImageOptions({ seed, negative_prompt, output }, "graphic");
  return planOperation(
    {
      operation: "graphic",
      body,
      metadata,
      defaults: { n: count, seed: options.seed, background },
      prompt: body.prompt,
      aspectRatio: body.aspect_ratio,
      count,
      options,
      task: { kind: "graphic", graphic: body.kind, palette, background },
      references: [],
      referenceImages: 0,
      hasClientImages: false,
      texts: [],
    },
    accountStrictness,
    catalogue,
  );
}
