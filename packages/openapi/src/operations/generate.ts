import {
  generationResponse,
  imageRequest,
  jobAccepted,
  sceneRequest,
  storyRequest,
} from "@atelier/schemas";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorAnswers, keyedErrors, reservedAnswers } from "../error-answers.ts";
import type { OperationError } from "../error-examples.ts";
import { jobHeaders, rateHeaders, type HeaderName } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import type { Samples } from "../sample-answers.ts";
import { examples, jsonAnswer } from "./answers.ts";

const madeHeaders = [...jobHeaders, ...rateHeaders];
const acceptedHeaders: readonly HeaderName[] = [...madeHeaders, "Location", "Retry-After"];

/** What every request to generate may meet before its job exists. */
const acceptErrors = [
  ...keyedErrors,
  "request_too_large",
  "unsupported_media_type",
  "insufficient_credit",
  "model_not_found",
  "idempotency_in_progress",
  "unsupported_aspect_ratio",
  "unsupported_image_size",
  "references_not_supported",
  "reference_unreachable",
  "idempotency_key_reused",
  "too_many_jobs",
  "provider_unavailable",
] as const satisfies readonly OperationError[];

/** What a request meets that waits for its image, beside that. */
const renderErrors = [
  "job_cancelled",
  "reference_invalid",
  "content_policy_violation",
  "content_illegal",
  "provider_error",
  "provider_refused",
] as const satisfies readonly OperationError[];

/** What a request for one image may meet. */
export const imageErrors: readonly OperationError[] = [...acceptErrors, ...renderErrors];

/** `POST /v1/generate/…`. */
export function generateOperations(samples: Samples): ZodOpenApiPathsObject {
  const image = jsonAnswer(
    "The image is done.",
    { schema: generationResponse, examples: examples({ image: ["An image", samples.image] }) },
    madeHeaders,
  );
  const accepted = jsonAnswer(
    "The generation was accepted and is not done yet: poll the job.",
    { schema: jobAccepted, examples: examples({ accepted: ["Accepted", samples.accepted] }) },
    acceptedHeaders,
  );
  return {
    "/v1/generate/image": {
      post: {
        operationId: "generateImage",
        tags: ["Generate"],
        summary: "Generate an image",
        description:
          "Makes one image from a prompt and answers with it. When it is not done after the wait (`Prefer: wait=N`, at most and by default the server's limit) the answer is 202 with the job, never a time-out. A client that goes away changes nothing: the job goes on, and `GET /v1/jobs` lists it.",
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: imageRequest,
              examples: examples({
                prompt: [
                  "A prompt",
                  { model: "builtin-illustrator", prompt: "a lighthouse at dusk" },
                ],
                options: [
                  "A prompt and options",
                  {
                    model: "builtin-illustrator",
                    prompt: "a red fox in a snowy forest, watercolour",
                    aspect_ratio: "16:9",
                    image_size: "1K",
                    strictness: "normal",
                  },
                ],
              }),
            },
          },
        },
        responses: {
          "200": image,
          "202": accepted,
          ...errorAnswers(imageErrors, "generation"),
        },
      },
    },
    "/v1/generate/story": {
      post: {
        operationId: "generateStory",
        tags: ["Generate"],
        summary: "Generate a story",
        description:
          "Makes a portrait of each character and state, an image of each location, and then the scenes one after another. The answer is always 202 with the job. What goes wrong later, such as a text that moderation refuses, is in the job's `error`. The model's `supports_multiturn` must be true.",
        parameters: parameterReferences(["RequestId", "IdempotencyKey"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: storyRequest,
              examples: examples({
                story: [
                  "Two scenes",
                  {
                    model: "builtin-illustrator",
                    prompt: "A short tale of a lost kite",
                    style: "watercolour",
                    characters: [
                      {
                        name: "Mira",
                        description: "a woman with long red hair and a green coat",
                        states: { rain: { description: "wearing a yellow raincoat" } },
                      },
                    ],
                    locations: [{ name: "Beach", description: "a wide beach with dunes" }],
                    scenes: [
                      {
                        prompt: "Mira finds the kite on the sand",
                        characters: [{ name: "Mira" }],
                        location: "Beach",
                      },
                      {
                        prompt: "Mira runs over the dunes in the rain",
                        aspect_ratio: "16:9",
                        characters: [{ name: "Mira", state: "rain" }],
                        location: "Beach",
                      },
                    ],
                  },
                ],
              }),
            },
          },
        },
        responses: {
          "202": accepted,
          ...errorAnswers(
            [
              ...acceptErrors,
              "model_not_capable",
              "unknown_character",
              "unknown_state",
              "unknown_location",
              "duplicate_name",
            ],
            "generation",
          ),
          ...reservedAnswers([451, 502]),
        },
      },
    },
    "/v1/generate/scene": {
      post: {
        operationId: "generateScene",
        tags: ["Generate"],
        summary: "Generate one scene again",
        description:
          "Makes a single scene, with the characters and the location of an earlier story by their `reference_url`. It is an image like any other: the answer, the waiting and the job are those of `POST /v1/generate/image`.",
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: sceneRequest,
              examples: examples({
                scene: [
                  "A scene",
                  {
                    model: "builtin-illustrator",
                    prompt: "The kite hangs in a pine tree behind the dunes",
                    style: "watercolour",
                    aspect_ratio: "16:9",
                  },
                ],
              }),
            },
          },
        },
        responses: {
          "200": image,
          "202": accepted,
          ...errorAnswers([...imageErrors, "duplicate_name"], "generation"),
        },
      },
    },
  };
}
