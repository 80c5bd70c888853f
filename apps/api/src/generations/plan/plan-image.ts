import type { GenerationPlan, ImageRequest, Strictness } from "@atelier/schemas";
import { castImage, styleReferences } from "@atelier/stories";
import { readImageOptions } from "./image-options.ts";
import { descriptionsOf, planOperation } from "./plan-operation.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans one render, or several that differ in their seeds.
 *
 * @throws AppError when the model does not exist or lacks a requested feature, or for a kept character or
 *   location that does not exist.
 */
export function planImage(
  { metadata = {}, ...body }: ImageRequest,
  accountStrictness: Strictness,
  { catalogue, members = new Map() }: PlanDependencies,
): GenerationPlan {
  const { n: count = 1, background = "opaque", reference_images: images = [] } = body;
  const options = readImageOptions(body);
  const { id, max_reference_images: maxReferenceImages } = catalogue.find(body.model);
  const cast = castImage(body, members, { id, maxReferenceImages });
  const references = [...(cast?.references ?? []), ...styleReferences(images)];
  return planOperation(
    {
      operation: "image",
      body: cast?.request ?? body,
      metadata,
      defaults: { n: count, seed: options.seed, background },
      prompt: cast?.prompt ?? body.prompt,
      composedOf: cast?.composedOf,
      aspectRatio: body.aspect_ratio,
      count,
      options,
      references,
      referenceImages: references.length,
      hasClientImages: references.length > 0,
      texts: [...(cast?.texts ?? []), ...descriptionsOf(images, "reference_images")],
    },
    accountStrictness,
    catalogue,
  );
}
