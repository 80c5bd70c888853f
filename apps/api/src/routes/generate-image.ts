import { randomInt } from "node:crypto";
import { priceOf, resolveModel } from "@atelier/models";
import {
  imageRequest,
  parseRequest,
  type GenerationPlan,
  type ImageRequest,
  type Strictness,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import { acceptAndAnswer } from "../accept-generation.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";
import { readPrefer } from "../http/prefer.ts";

/** `POST /v1/generate/image`: one image, answered when it is done. */
export function generateImage(dependencies: ApiDependencies) {
  const { config } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(imageRequest, request.body);
    const { waitMs } = readPrefer(request.get("Prefer"), config.MAX_WAIT_SECONDS * 1_000);
    const { strictness } = contextOf(response).caller;
    const makePlan = () => planImage(body, strictness, dependencies);
    const deadlineMs = config.IMAGE_DEADLINE_SECONDS * 1_000;
    await acceptAndAnswer(request, response, { body, makePlan, deadlineMs, waitMs }, dependencies);
  };
}

/**
 * A plan of one render.
 *
 * @throws AppError when there is no such model, or it lacks what is asked of it.
 */
export function planImage(
  body: ImageRequest,
  accountStrictness: Strictness,
  { catalogue }: ApiDependencies,
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
