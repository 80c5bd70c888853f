import { randomInt } from "node:crypto";
import { priceOf, resolveModel } from "@atelier/models";
import type { Strictness } from "@atelier/schemas";
import type { PlanFacts } from "@atelier/stories";
import type { ApiDependencies } from "../dependencies.ts";

/** What the requests for a story and for a scene have in common. */
interface DrawnRequest {
  readonly model: string;
  readonly image_size?: string | undefined;
  readonly strictness?: Strictness | undefined;
}

/**
 * What the plan of a story or a scene has to know beside its request.
 *
 * @param accountStrictness of a request that names none.
 * @throws AppError when there is no such model, or it lacks the image size.
 */
export function gatherPlanFacts(
  body: DrawnRequest,
  accountStrictness: Strictness,
  { catalogue }: Pick<ApiDependencies, "catalogue">,
): PlanFacts {
  const { entry, imageSize } = resolveModel(catalogue, {
    model: body.model,
    imageSize: body.image_size,
    // The plan decides on these image by image, and tells of all that is wrong with them.
    aspectRatio: undefined,
    referenceImages: 0,
  });
  return {
    model: {
      id: entry.id,
      lane: entry.provider,
      aspectRatios: entry.aspect_ratios,
      defaultAspectRatio: entry.default_aspect_ratio,
      maxReferenceImages: entry.max_reference_images,
    },
    imageSize,
    strictness: body.strictness ?? accountStrictness,
    pricePerImageMicroEur: priceOf(entry, imageSize),
    seed: randomInt(2 ** 31),
  };
}
