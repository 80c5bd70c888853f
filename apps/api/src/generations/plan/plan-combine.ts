import type { CombineRequest, GenerationPlan, Strictness } from "@atelier/schemas";
import { suppliedSource } from "@atelier/stories";
import { readImageOptions } from "./image-options.ts";
import { descriptionsOf, planOperation } from "./plan-operation.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans a combination of images, or several that differ in their seeds.
 *
 * @throws AppError when the model does not exist or lacks a requested feature.
 */
export function planCombine(
  { metadata = {}, ...body }: CombineRequest,
  accountStrictness: Strictness,
  { catalogue }: PlanDependencies,
): GenerationPlan {
  const { n: count = 1, background = "opaque", images } = body;
  const options = readImageOptions(body, "combine");
  return planOperation(
    {
      operation: "combine",
      body,
      metadata,
      defaults: { n: count, seed: options.seed, background },
      prompt: body.prompt,
      aspectRatio: body.aspect_ratio,
      count,
      options,
      task: { kind: "combine" },
      references: images.map((image, index) => ({
        role: "part",
        name: null,
        description: image.description,
        source: suppliedSource(image, `images.${index}`),
      })),
      referenceImages: images.length,
      hasClientImages: true,
      texts: descriptionsOf(images, "images"),
    },
    accountStrictness,
    catalogue,
  );
}
