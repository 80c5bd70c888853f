import { randomInt } from "node:crypto";
import { priceOf } from "@atelier/models";
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
 * @throws AppError when there is no such model. What it lacks is for the plan to tell, with all else
 *   that is wrong.
 */
export function gatherPlanFacts(
  body: DrawnRequest,
  accountStrictness: Strictness,
  { catalogue }: Pick<ApiDependencies, "catalogue">,
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
    pricePerImageMicroEur: priceOf(entry, imageSize),
    seed: randomInt(2 ** 31),
  };
}
