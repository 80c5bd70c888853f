import {
  openaiImageRequest,
  parseRequest,
  type ImageRequest,
  type OpenAIImageRequest,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import type { Memory } from "../http/memory.ts";
import { answerWithImages } from "../openai/answer.ts";
import { nameIgnored } from "../openai/ignored-fields.ts";
import { pickSize } from "../openai/pick-size.ts";

/** `POST /v1/images/generations`: images of a prompt, compatible with OpenAI's API. */
export function generateOpenAIImages(dependencies: ApiDependencies & { readonly memory: Memory }) {
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(openaiImageRequest, request.body);
    nameIgnored(request.body as object, openaiImageRequest, response);
    const { response_format, output_format = "png", stream = false, quality = "auto" } = body;
    await answerWithImages(
      request,
      response,
      {
        operation: "image",
        fields: body,
        body: () => readImage(body, dependencies),
        delivery: {
          responseFormat: response_format,
          outputFormat: output_format,
          eventType: stream ? "image_generation.completed" : null,
          quality,
        },
      },
      dependencies,
    );
  };
}

/** Converts a request of OpenAI's API to one of this service. */
function readImage(
  { size, quality, moderation, background, ...body }: OpenAIImageRequest,
  { catalogue, modelAliases }: ApiDependencies,
): ImageRequest {
  const model = modelAliases.resolve(body.model);
  const { aspectRatio, imageSize } = pickSize(catalogue.find(model), { size, quality });
  const { prompt, n, seed, negative_prompt } = body;
  return {
    model,
    prompt,
    n,
    seed,
    negative_prompt,
    aspect_ratio: aspectRatio,
    image_size: imageSize,
    background: background === "transparent" ? background : undefined,
    strictness: moderation === "low" ? "liberal" : undefined,
  };
}
