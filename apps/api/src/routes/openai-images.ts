import {
  openaiImageRequest,
  parseRequest,
  type ImageRequest,
  type OpenAIImageRequest,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { planningFor } from "../generations/plan/test-catalogue.ts";
import { contextOf } from "../http/context.ts";
import type { Shares } from "../http/limits/shares.ts";
import { answerWithImages } from "../openai/answer.ts";
import { chooseModel } from "../openai/choose-model.ts";
import { nameIgnored } from "../openai/ignored-fields.ts";
import { pickSize } from "../openai/pick-size.ts";
import { readMetadata } from "../openai/read-metadata.ts";
import { readDelivery } from "../openai/send-images.ts";

/** `POST /v1/images/generations`: images of a prompt, compatible with OpenAI's API. */
export function generateOpenAIImages(dependencies: ApiDependencies & { readonly memory: Shares }) {
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(openaiImageRequest, request.body);
    const { metadata, kept } = readMetadata(request.body as object);
    nameIgnored(request.body as object, openaiImageRequest, kept, response);
    await answerWithImages(
      request,
      response,
      {
        convert: () => ({
          operation: "image",
          body: readImage({ ...body, metadata }, response, dependencies),
        }),
        fields: { ...body, metadata },
        delivery: readDelivery(body, "image_generation.completed", dependencies.config),
      },
      dependencies,
    );
  };
}

/** Converts a request of OpenAI's API to one of this service. */
function readImage(
  { size, moderation, background, ...body }: OpenAIImageRequest,
  response: Response,
  dependencies: ApiDependencies,
): ImageRequest {
  const { caller } = contextOf(response);
  const { catalogue } = planningFor(caller, "image", dependencies);
  const planning = { ...dependencies, catalogue };
  const model = chooseModel(body.model, "image", false, caller, planning);
  const { prompt, n, seed, negative_prompt, metadata } = body;
  return {
    model,
    prompt,
    n,
    seed,
    negative_prompt,
    ...pickSize(catalogue.find(model), catalogue.pixelsOf(model), size),
    background: background === "transparent" ? background : undefined,
    strictness: moderation === "low" ? "liberal" : undefined,
    metadata,
  };
}
