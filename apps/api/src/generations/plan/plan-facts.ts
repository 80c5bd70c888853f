import { priceOf } from "@atelier/models";
import type { Strictness } from "@atelier/schemas";
import type { PlanFacts } from "@atelier/stories";
import type { ImageOptions } from "./image-options.ts";
import type { PlanDependencies } from "./planner.ts";

/** Common properties of requests for a story and for a scene. */
interface DrawnRequest {
  readonly model: string;
  readonly image_size?: string | undefined;
  readonly strictness?: Strictness | undefined;
}

/**
 * Collects the facts outside of the request that the plan of a story or a scene needs.
 *
 * @param accountStrictness the default for a request without a strictness.
 * @throws AppError when the model does not exist. Missing features are reported by the plan, together
 *   with all other problems.
 */
export function gatherPlanFacts(
  body: DrawnRequest,
  operation: "story" | "scene",
  accountStrictness: Strictness,
  { seed, spec }: ImageOptions,
  { catalogue }: PlanDependencies,
): PlanFacts {
  const entry = catalogue.find(body.model);
  const imageSizes = Object.keys(entry.prices_eur);
  const imageSize = imageSizes.find((size) => size === body.image_size) ?? entry.default_image_size;
  return {
    model: {
      id: entry.id,
      lane: entry.provider,
      imageSizes,
      aspectRatios: entry.aspect_ratios,
      defaultAspectRatio: entry.default_aspect_ratio,
      maxReferenceImages: entry.max_reference_images,
    },
    imageSize,
    strictness: body.strictness ?? accountStrictness,
    pricePerImageMicroEur: priceOf(entry, imageSize, {
      operation,
      steps: spec.parameters?.steps,
    }),
    seed,
    options: spec,
  };
}
