import { randomInt } from "node:crypto";
import { priceOf, resolveModel } from "@atelier/models";
import type { Strictness } from "@atelier/schemas";
import type { PlanFacts } from "@atelier/stories";
import type { Response } from "express";
import type { ApiDependencies } from "./dependencies.ts";
import { contextOf } from "./http/context.ts";

/** What the requests for a story and for a scene have in common. */
interface DrawnRequest {
  readonly model: string;
  readonly aspect_ratio?: string | undefined;
  readonly image_size?: string | undefined;
  readonly strictness?: Strictness | undefined;
}

/**
 * What the plan of a story or a scene has to know beside its request.
 *
 * @throws AppError when there is no such model, or it lacks the aspect ratio or image size.
 */
export function gatherPlanFacts(
  body: DrawnRequest,
  response: Response,
  { catalogue }: ApiDependencies,
): PlanFacts {
  const { entry, imageSize } = resolveModel(catalogue, {
    model: body.model,
    aspectRatio: body.aspect_ratio,
    imageSize: body.image_size,
    // How many references each image gets is decided by the plan.
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
    strictness: body.strictness ?? contextOf(response).caller.strictness,
    pricePerImageMicroEur: priceOf(entry, imageSize),
    seed: randomInt(2 ** 31),
  };
}
