import type { GenerationPlan, ImageRequest, Strictness } from "@atelier/schemas";
import { styleReferences } from "@atelier/stories";
import { readImageOptions } from "./image-options.ts";
import { descriptionsOf, planOperation } from "./plan-operation.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans one render, or several that differ in their seeds.
 *
 * @throws AppError when the model does not exist or lacks a requested feature.
 */
export function planImage(
  { metadata = {}, ...body }: ImageRequest,
  accountStrictness: Strictness,
  { catalogue }: PlanDependencies,
): GenerationPlan {
  const { n: count = 1, background = "opaque", reference_images: references = [] } = body;
  const options = readImageOptions(body);
  return planOperation(
    {
      operation: "image",
      body,
      metadata,
      defaults: { n: count, seed: options.seed, background },
      prompt: body.prompt,
      aspectRatio: body.aspect_ratio,
      count,
      options,
      references: styleReferences(references),
      referenceImages: references.length,
      hasClientImages: references.length > 0,
      texts: descriptionsOf(references, "reference_images"),
    },
    accountStrictness,
    catalogue,
  );
}
