import { randomInt } from "node:crypto";
import { priceOf, resolveModel } from "@atelier/models";
import type { GenerationPlan, ImageRequest, Strictness } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * A plan of one render.
 *
 * @throws AppError when there is no such model, or it lacks what is asked of it.
 */
export function planImage(
  body: ImageRequest,
  accountStrictness: Strictness,
  { catalogue }: Pick<ApiDependencies, "catalogue">,
): GenerationPlan {
  const references = body.reference_images ?? [];
  const { entry, aspectRatio, imageSize } = resolveModel(catalogue, {
    model: body.model,
    aspectRatio: body.aspect_ratio,
    imageSize: body.image_size,
    referenceImages: references.length,
  });
  return {
    kind: "image",
    model: entry.id,
    strictness: body.strictness ?? accountStrictness,
    request: body,
    title: null,
    priceMicroEur: priceOf(entry, imageSize),
    renders: [
      {
        role: "image",
        lane: entry.provider,
        model: entry.id,
        waitsFor: [],
        spec: {
          prompt: body.prompt,
          aspectRatio,
          imageSize,
          seed: randomInt(2 ** 31),
          name: null,
          state: null,
          title: null,
          references: references.map(({ description, url }, index) => ({
            role: "style",
            name: null,
            description,
            source: { kind: "url", url, path: `reference_images.${index}.url` },
          })),
          hasClientImages: references.length > 0,
          texts: references.map(({ description }, index) => ({
            path: `reference_images.${index}.description`,
            text: description,
          })),
        },
      },
    ],
  };
}
