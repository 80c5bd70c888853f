import * as z from "zod";
import {
  openaiEditForm,
  openaiEditRequest,
  openaiImageRequest,
  openaiImages,
  openaiVariationForm,
} from "../openai/openai-images.ts";
import { endpoint, type JsonResult } from "./endpoint.ts";
import { imageErrors } from "./generate.ts";
import { azureQuery } from "./models.ts";
import { createSamples, exampleUrl } from "./samples.ts";

const samples = createSamples(exampleUrl);
const model = "builtin-illustrator";

/** The start of a WebP in base64. */
const b64_json = "UklGRg4AAABXRUJQVlA4IA==";

/** A file in a form. */
const binary = z.string().meta({ format: "binary" });

/** In a form, all values are text. */
const metadata = z.string().optional().meta({
  description:
    "Texts of your own as the text of a JSON object, kept as `metadata` of the job; a field `metadata[name]` is one of them.",
});

/** Shared by the three operations. */
const compatible = {
  tag: "Compatibility",
  limit: "generate",
  scope: ["generate"],
  headers: ["IdempotencyKey", "Prefer", "Strict"],
  ignoredQuery: azureQuery,
  createsJob: true,
  errors: [...imageErrors, "upload_invalid", "upload_quota_exceeded", "file_not_found"],
  errorFormat: "openai",
} as const;

/**
 * 200: the images as JSON, or as a stream of events.
 *
 * @param type of the event; null for an operation without streams.
 */
function imagesResult(type: string | null): JsonResult<typeof openaiImages> {
  const facts = { background: "opaque", output_format: "png", size: "1024x1024" };
  const created = 1_795_341_604;
  const usage = {
    input_tokens: 0,
    input_tokens_details: { image_tokens: 0, text_tokens: 0 },
    output_tokens: 0,
    total_tokens: 0,
  };
  const event = { type, b64_json, ...facts, quality: "auto", created_at: created, usage };
  const example = `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
  return {
    description: "The images are done.",
    schema: openaiImages,
    examples: {
      url: ["A URL", { created, data: [{ url: samples.image.image_url }], ...facts }],
      bytes: [
        "The bytes of two images, truncated",
        { created, data: [{ b64_json }, { b64_json }], ...facts },
      ],
    },
    headers: [
      "X-Service-Job-Id",
      "X-Should-Retry",
      "Idempotent-Replayed",
      "Atelier-Ignored",
      "Atelier-Adjusted",
    ],
    ...(type !== null && { otherTypes: { "text/event-stream": { example } } }),
  };
}

export const generateOpenAIImage = endpoint({
  ...compatible,
  id: "generateOpenAIImage",
  route: "POST /v1/images/generations",
  summary: "Generate images (OpenAI-compatible)",
  description:
    "For OpenAI's client libraries: set their base URL to this server's, with `/v1`. Parameters without an effect, such as `style` and `quality`, and those that the model cannot honour are accepted and named in `Atelier-Ignored`; `Atelier-Strict: true` refuses them. Moderation, price, idempotency, limits and waiting are those of `POST /v1/generate/image`. `user`, `safety_identifier` and `metadata` are kept with the job. Errors have OpenAI's format with the codes of this service, and 422 becomes 400; a refusal by moderation is 400 `content_policy_violation` with `moderation_details`. If the wait expires, the response is 503 `job_unfinished` instead of 202; the same request waits again. A repeated request whose first response was lost gets the images of that job, with `Idempotent-Replayed: true`.",
  body: {
    schema: openaiImageRequest,
    examples: {
      url: ["A URL", { model, prompt: "a lighthouse at dusk" }],
      bytes: [
        "The bytes of two wide WebPs",
        {
          model,
          prompt: "a lighthouse at dusk",
          n: 2,
          size: "1536x1024",
          response_format: "b64_json",
          output_format: "webp",
        },
      ],
    },
  },
  results: { 200: imagesResult("image_generation.completed") },
});

export const editOpenAIImages = endpoint({
  ...compatible,
  id: "editOpenAIImages",
  route: "POST /v1/images/edits",
  summary: "Edit an image (OpenAI-compatible)",
  description:
    "`POST /v1/generate/edit` for OpenAI's client libraries. The form has 1 to 16 images as `image` or `image[]` and at most one `mask`, each a PNG, JPEG, WebP or AVIF of at most 20 MB, together at most 40 MB. The first image is changed, the others are references. A mask has the size of the first image; its transparent pixels mark what to change, in an opaque mask the white ones. JSON, of at most 40 MB, has images by URL, as `data:` URLs or base64, or uploads as `file_id`. Images of a form or in JSON are deleted when the job no longer needs them. Otherwise as `POST /v1/images/generations`.",
  body: {
    mediaType: "multipart/form-data",
    schema: openaiEditForm.extend({ image: binary, mask: binary.optional(), metadata }),
    examples: {},
    otherTypes: {
      "application/json": {
        schema: openaiEditRequest,
        examples: {
          upload: [
            "An upload",
            { model, prompt: "a red boat", images: [{ file_id: samples.upload.id }] },
          ],
        },
      },
    },
  },
  results: { 200: imagesResult("image_edit.completed") },
});

export const varyOpenAIImage = endpoint({
  ...compatible,
  id: "varyOpenAIImage",
  route: "POST /v1/images/variations",
  summary: "Vary an image (OpenAI-compatible)",
  description:
    "An edit of the file `image` of a form without a prompt: images with the same subject in the same style. Otherwise as `POST /v1/images/edits`.",
  body: {
    mediaType: "multipart/form-data",
    schema: openaiVariationForm.extend({ image: binary, metadata }),
    examples: {},
  },
  results: { 200: imagesResult(null) },
});

/** `/v1/images`, as OpenAI's clients call it. */
export const openaiImageEndpoints = [
  generateOpenAIImage,
  editOpenAIImages,
  varyOpenAIImage,
] as const;
