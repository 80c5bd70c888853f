import {
  openaiEditForm,
  openaiEditRequest,
  openaiImageRequest,
  openaiImages,
  openaiVariationForm,
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from "zod-openapi";
import { rateHeaders, type HeaderName } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import {
  azureQuery,
  imageErrors as endpointErrors,
  type Samples,
} from "@atelier/schemas/endpoints";
import { bodyErrors, keyedErrors } from "../error-responses.ts";
import { binary, examples, jsonResponse } from "./responses.ts";
import { imageErrorResponses } from "./openai-responses.ts";

const imageErrors = [...keyedErrors, ...bodyErrors, ...endpointErrors];

/** The start of a WebP in base64. */
const sampleBytes = "UklGRg4AAABXRUJQVlA4IA==";

/** In a form, all values are text. */
const metadata = z.string().optional().meta({
  description:
    "Texts of your own as the text of a JSON object, kept as `metadata` of the job; a field `metadata[name]` is one of them.",
});

/** Errors of images in a request; `/generations` takes them as references. */
const inputImageErrors = ["upload_invalid", "upload_quota_exceeded"] as const;

const successHeaders: readonly HeaderName[] = [
  "X-Service-Job-Id",
  "X-Should-Retry",
  "Idempotent-Replayed",
  "Atelier-Ignored",
  "Atelier-Adjusted",
  ...rateHeaders,
];

/** `POST /v1/images/…`, as OpenAI's clients call it. */
export function openaiOperations(samples: Samples): ZodOpenApiPathsObject {
  return {
    "/v1/images/generations": {
      post: {
        operationId: "generateOpenAIImage",
        "x-required-scope": ["generate"],
        tags: ["Compatibility"],
        summary: "Generate images (OpenAI-compatible)",
        description:
          "For OpenAI's client libraries: set their base URL to this server's, with `/v1`. Parameters without an effect, such as `style` and `quality`, and those that the model cannot honour are accepted and named in `Atelier-Ignored`; `Atelier-Strict: true` refuses them. Moderation, price, idempotency, limits and waiting are those of `POST /v1/generate/image`. `user`, `safety_identifier` and `metadata` are kept with the job. Errors have OpenAI's format with the codes of this service, and 422 becomes 400; a refusal by moderation is 400 `content_policy_violation` with `moderation_details`. If the wait expires, the response is 503 `job_unfinished` instead of 202; the same request waits again. A repeated request whose first response was lost gets the images of that job, with `Idempotent-Replayed: true`.",
        requestParams: { query: azureQuery },
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer", "Strict"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: openaiImageRequest,
              examples: examples({
                url: ["A URL", { model: "builtin-illustrator", prompt: "a lighthouse at dusk" }],
                bytes: [
                  "The bytes of two wide WebPs",
                  {
                    model: "builtin-illustrator",
                    prompt: "a lighthouse at dusk",
                    n: 2,
                    size: "1536x1024",
                    response_format: "b64_json",
                    output_format: "webp",
                  },
                ],
              }),
            },
          },
        },
        responses: {
          "200": imagesResponse(samples, "image_generation.completed"),
          ...imageErrorResponses([...imageErrors, ...inputImageErrors, "file_not_found"], samples),
        },
      },
    },
    "/v1/images/edits": {
      post: {
        operationId: "editOpenAIImages",
        "x-required-scope": ["generate"],
        tags: ["Compatibility"],
        summary: "Edit an image (OpenAI-compatible)",
        description:
          "`POST /v1/generate/edit` for OpenAI's client libraries. The form has 1 to 16 images as `image` or `image[]` and at most one `mask`, each a PNG, JPEG, WebP or AVIF of at most 20 MB, together at most 40 MB. The first image is changed, the others are references. A mask has the size of the first image; its transparent pixels mark what to change, in an opaque mask the white ones. JSON, of at most 40 MB, has images by URL, as `data:` URLs or base64, or uploads as `file_id`. Images of a form or in JSON are deleted when the job no longer needs them. Otherwise as `POST /v1/images/generations`.",
        requestParams: { query: azureQuery },
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer", "Strict"]),
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: openaiEditForm.extend({ image: binary, mask: binary.optional(), metadata }),
            },
            "application/json": {
              schema: openaiEditRequest,
              examples: examples({
                upload: [
                  "An upload",
                  {
                    model: "builtin-illustrator",
                    prompt: "a red boat",
                    images: [{ file_id: samples.upload.id }],
                  },
                ],
              }),
            },
          },
        },
        responses: {
          "200": imagesResponse(samples, "image_edit.completed"),
          ...imageErrorResponses([...imageErrors, ...inputImageErrors, "file_not_found"], samples),
        },
      },
    },
    "/v1/images/variations": {
      post: {
        operationId: "varyOpenAIImage",
        "x-required-scope": ["generate"],
        tags: ["Compatibility"],
        summary: "Vary an image (OpenAI-compatible)",
        description:
          "An edit of the file `image` of a form without a prompt: images with the same subject in the same style. Otherwise as `POST /v1/images/edits`.",
        requestParams: { query: azureQuery },
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer", "Strict"]),
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: openaiVariationForm.extend({ image: binary, metadata }),
            },
          },
        },
        responses: {
          "200": imagesResponse(samples, null),
          ...imageErrorResponses([...imageErrors, ...inputImageErrors, "file_not_found"], samples),
        },
      },
    },
  };
}

/**
 * 200: the images as JSON, or as a stream of events.
 *
 * @param eventType null for an operation without streams.
 */
function imagesResponse({ image }: Samples, eventType: string | null): ZodOpenApiResponseObject {
  const facts = { background: "opaque", output_format: "png", size: "1024x1024" };
  const created = 1_795_341_604;
  const response = jsonResponse(
    "The images are done.",
    {
      schema: openaiImages,
      examples: examples({
        url: ["A URL", { created, data: [{ url: image.image_url }], ...facts }],
        bytes: [
          "The bytes of two images, truncated",
          { created, data: [{ b64_json: sampleBytes }, { b64_json: sampleBytes }], ...facts },
        ],
      }),
    },
    successHeaders,
  );
  if (eventType === null) return response;
  const event = { type: eventType, b64_json: sampleBytes, ...facts, quality: "auto" };
  const usage = {
    input_tokens: 0,
    input_tokens_details: { image_tokens: 0, text_tokens: 0 },
    output_tokens: 0,
    total_tokens: 0,
  };
  const data = JSON.stringify({ ...event, created_at: created, usage });
  return {
    ...response,
    content: {
      ...response.content,
      "text/event-stream": { example: `event: ${eventType}\ndata: ${data}\n\n` },
    },
  };
}
