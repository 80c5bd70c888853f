import {
  combineRequest,
  diagramRequest,
  editRequest,
  generationResponse,
  graphicRequest,
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

/** Errors of all generation requests before the job exists. */
const acceptErrors = [
  ...keyedErrors,
  "request_too_large",
  "unsupported_media_type",
  "insufficient_credit",
  "key_budget_exhausted",
  "model_not_found",
  "model_not_capable",
  "idempotency_in_progress",
  "unsupported_aspect_ratio",
  "unsupported_image_size",
  "references_not_supported",
  "reference_unreachable",
  "idempotency_key_reused",
  "too_many_jobs",
  "content_policy_violation",
  "content_illegal",
  "provider_unavailable",
] as const satisfies readonly OperationError[];

/** Further errors of requests that wait for their image. */
const renderErrors = [
  "job_cancelled",
  "reference_invalid",
  "provider_error",
  "provider_refused",
] as const satisfies readonly OperationError[];

/** Errors of requests for one image. */
export const imageErrors: readonly OperationError[] = [...acceptErrors, ...renderErrors];

/** `POST /v1/generate/…`. */
export function generateOperations(samples: Samples): ZodOpenApiPathsObject {
  const image = jsonAnswer(
    "The image is done.",
    { schema: generationResponse, examples: examples({ image: ["An image", samples.image] }) },
    madeHeaders,
  );
  const accepted = jsonAnswer(
    "The generation is accepted and unfinished: poll the job.",
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
          "Makes one image from a prompt and returns it, or `n` images that differ in their seeds. If it is not done after the wait (`Prefer: wait=N`; default and maximum: the server's limit), the response is 202 with the job, never a timeout. The job continues if the client disconnects, and `GET /v1/jobs` lists it.",
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
                several: [
                  "Four images of one prompt",
                  {
                    model: "builtin-illustrator",
                    prompt: "a paper boat on a pond",
                    n: 4,
                    seed: 7,
                    metadata: { order: "A-1027" },
                  },
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
          "Makes a portrait of each character and state, an image of each location, and then the scenes in order. Every text and prompt is moderated by the built-in rules first: 422 `content_policy_violation` or 451 `content_illegal` names the field, and nothing is held. An accepted story is 202 with the job. Later failures, such as a text that the operator's remote model refuses, are the job's `error`. The model's `supports_multiturn` must be true.",
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
              "unknown_character",
              "unknown_state",
              "unknown_location",
              "duplicate_name",
            ],
            "generation",
          ),
          ...reservedAnswers([502]),
        },
      },
    },
    "/v1/generate/scene": {
      post: {
        operationId: "generateScene",
        tags: ["Generate"],
        summary: "Generate a single scene",
        description:
          "Makes one scene with the characters and the location of an earlier story, by their `reference_url`s. Response, waiting and job are those of `POST /v1/generate/image`.",
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
    "/v1/generate/edit": {
      post: {
        operationId: "generateEdit",
        tags: ["Generate"],
        summary: "Edit an image",
        description:
          "Changes an image as the prompt says, inside a mask or everywhere. With a mask, the result has the size of the image and the pixels outside of the mask are kept; without one, it has the shape of the image. The model's `supports_edit` must be true. Response, waiting and job are those of `POST /v1/generate/image`.",
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: editRequest,
              examples: examples({
                edit: [
                  "Change the image of a job",
                  {
                    model: "builtin-illustrator",
                    prompt: "the same harbour at night, with lanterns",
                    image: { job_id: samples.image.id },
                    strength: 0.6,
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
    "/v1/generate/combine": {
      post: {
        operationId: "generateCombination",
        tags: ["Generate"],
        summary: "Combine images",
        description:
          "Makes one image of two to five images and a prompt. The model's `supports_combine` must be true. The response always has `image_urls`, `image_hashes` and `images`, also for one image; otherwise response, waiting and job are those of `POST /v1/generate/image`.",
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: combineRequest,
              examples: examples({
                combine: [
                  "Combine the images of two jobs",
                  {
                    model: "builtin-illustrator",
                    prompt: "the boat in the harbour, at dusk",
                    images: [
                      { description: "the red sailing boat", job_id: samples.image.id },
                      { description: "the harbour", job_id: samples.image.id },
                    ],
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
    "/v1/generate/graphic": {
      post: {
        operationId: "generateGraphic",
        tags: ["Generate"],
        summary: "Draw an icon, a logo or an illustration",
        description:
          "Draws a graphic with transparency in PNG and WebP, and as a signed `formats.svg` for models whose `supports_svg` is true. The model's `operations` must include `graphic`. Response, waiting and job are those of `POST /v1/generate/image`.",
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: graphicRequest,
              examples: examples({
                icon: [
                  "An icon in two colours",
                  {
                    model: "builtin-graphic",
                    prompt: "a rocket",
                    kind: "icon",
                    palette: ["#1f3a5f", "#e07a3f"],
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
    "/v1/generate/diagram": {
      post: {
        operationId: "generateDiagram",
        tags: ["Generate"],
        summary: "Lay out a diagram",
        description:
          "Lays out a diagram in words, DOT or Mermaid, as an image in the shape of the diagram and as a signed `formats.svg`. The model's `operations` must include `diagram`. The same request makes the same picture. Response, waiting and job are those of `POST /v1/generate/image`.",
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: diagramRequest,
              examples: examples({
                words: [
                  "A diagram in words",
                  {
                    model: "builtin-diagram",
                    prompt: "user → API → queue; the queue feeds three workers",
                  },
                ],
                mermaid: [
                  "A Mermaid flowchart",
                  {
                    model: "builtin-diagram",
                    source: "flowchart LR\n  A[Order] --> B{Paid?}\n  B -- yes --> C[Ship]",
                    language: "mermaid",
                  },
                ],
              }),
            },
          },
        },
        responses: {
          "200": image,
          "202": accepted,
          ...errorAnswers([...imageErrors, "diagram_invalid"], "generation"),
        },
      },
    },
  };
}
