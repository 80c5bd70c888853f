import {
  openaiImageRequest,
  type ImageRequest,
  type ImageSource,
  type OpenAIImageRequest,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import type { RequestImages } from "../generations/plan/operations.ts";
import { planningFor } from "../generations/plan/test-catalogue.ts";
import { contextOf } from "../http/context.ts";
import { answerWithImages } from "../openai/answer.ts";
import { chooseModel } from "../openai/choose-model.ts";
import { readParameters, type SentParameters } from "../openai/ignored-fields.ts";
import { honourOptions, nameUploads } from "../openai/model-options.ts";
import { pickSize } from "../openai/pick-size.ts";
import { withJsonImages } from "../openai/receive-images.ts";
import { readDelivery } from "../openai/send-images.ts";
import type { EditDependencies } from "./openai-edits.ts";

/** `POST /v1/images/generations`: images of a prompt, compatible with OpenAI's API. */
export function generateOpenAIImages(dependencies: EditDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const answer = async (sent: unknown, received: RequestImages) => {
      const { body: parsed, parameters } = readParameters(
        openaiImageRequest,
        { request, response },
        sent as object,
      );
      const body = nameUploads(parsed, received);
      await answerWithImages(
        request,
        response,
        {
          convert: () => ({
            operation: "image",
            body: readImage(body, parameters, dependencies),
            images: received,
          }),
          fields: received.bind(body),
          onJob: () => received.discard(),
          delivery: readDelivery(body, "image_generation.completed", dependencies.config),
        },
        dependencies,
      );
    };
    await withJsonImages(request, response, "generation", answer, dependencies);
  };
}

/** Converts a request of OpenAI's API to one of this service. */
export function readImage(
  body: OpenAIImageRequest,
  parameters: SentParameters,
  dependencies: Needs<"catalogue" | "config" | "modelAliases" | "storage">,
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
