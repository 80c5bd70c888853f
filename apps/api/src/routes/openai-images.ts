import {
  openaiImageRequest,
  type ImageRequest,
  type ImageSource,
  type OpenAIImageRequest,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { planningFor } from "../generations/plan/test-catalogue.ts";
import { contextOf } from "../http/context.ts";
import type { Shares } from "../http/limits/shares.ts";
import { answerWithImages } from "../openai/answer.ts";
import { chooseModel } from "../openai/choose-model.ts";
import { readParameters, type SentParameters } from "../openai/ignored-fields.ts";
import { honourOptions } from "../openai/model-options.ts";
import { pickSize } from "../openai/pick-size.ts";
import { readDelivery } from "../openai/send-images.ts";

/** `POST /v1/images/generations`: images of a prompt, compatible with OpenAI's API. */
export function generateOpenAIImages(dependencies: ApiDependencies & { readonly memory: Shares }) {
  return async (request: Request, response: Response): Promise<void> => {
    const { body, parameters } = readParameters(
      openaiImageRequest,
      { request, response },
      request.body as object,
    );
    await answerWithImages(
      request,
      response,
      {
        convert: () => ({
          operation: "image",
          body: readImage(body, parameters, dependencies),
        }),
        fields: body,
        delivery: readDelivery(body, "image_generation.completed", dependencies.config),
      },
      dependencies,
    );
  };
}

/** Converts a request of OpenAI's API to one of this service. */
export function readImage(
  body: OpenAIImageRequest,
  parameters: SentParameters,
  dependencies: ApiDependencies,
): ImageRequest {
  const { caller } = contextOf(parameters.response);
  const { catalogue } = planningFor(caller, "image", dependencies);
  const planning = { ...dependencies, catalogue };
  const model = chooseModel(body.model, "image", false, caller, planning);
  const { prompt, n, metadata, size, moderation, background } = body;
  const entry = catalogue.find(model);
  const { references, ...options } = honourOptions(body, parameters, entry, dependencies);
  return {
    model,
    prompt,
    n,
    ...pickSize(entry, catalogue.pixelsOf(model), size),
    ...options,
    ...(references.length > 0 && { reference_images: references.map(describeImage) }),
    background: background === "transparent" ? background : undefined,
    strictness: moderation === "low" ? "liberal" : undefined,
    metadata,
  };
}

function describeImage(source: ImageSource, index: number) {
  return { description: `image ${index + 1} of the request`, ...source };
}
