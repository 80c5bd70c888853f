import * as z from "zod";
import { chatCompletion, chatRequest, type ChatCompletion } from "../openai/openai-chat.ts";
import { endpoint } from "./endpoint.ts";
import { imageErrors } from "./generate.ts";
import { azureQuery } from "./models.ts";
import { jobId } from "./samples.ts";

const tag = "Compatibility";

/** The start of a PNG as a `data:` URL. */
const url = "data:image/png;base64,iVBORw0KGgo=";
const images = [{ type: "image_url", index: 0, image_url: { url } }] as const;
const created = 1_795_341_604;
const model = "builtin-illustrator";

const sample: ChatCompletion = {
  id: `chatcmpl-${jobId}`,
  object: "chat.completion",
  created,
  model,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "", images: [...images] },
      finish_reason: "stop",
    },
  ],
};
const { object: _object, choices: _choices, ...rest } = sample;
const chunk = {
  ...rest,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { role: "assistant", content: "", images }, finish_reason: "stop" }],
};

export const createChatCompletion = endpoint({
  id: "createChatCompletion",
  route: "POST /v1/chat/completions",
  tag,
  summary: "Generate an image in a chat (OpenRouter-compatible)",
  description:
    'For chat programs, in the form of OpenRouter: `modalities` contains `"image"`, and the image is in `message.images` as a `data:` URL. The text of the last user message is the prompt; system, tool and earlier messages are not used. Images of that message are references; without one, the last image of an assistant message is changed, if the model can edit. Chat programs send titles, tags and questions to the same model: without `"image"` in `modalities`, a request is 400 `invalid_request` and costs nothing. Parameters without an effect are named in `Atelier-Ignored`. Moderation, price, retries, limits, waiting and errors are those of `POST /v1/images/generations`; the job is recorded as `image` or `edit`.',
  limit: "generate",
  scope: ["generate"],
  headers: ["IdempotencyKey", "Prefer"],
  ignoredQuery: azureQuery,
  body: {
    schema: chatRequest,
    examples: {
      image: [
        "An image",
        {
          model,
          modalities: ["image", "text"],
          messages: [{ role: "user", content: "a lighthouse at dusk" }],
        },
      ],
    },
  },
  createsJob: true,
  results: {
    200: {
      description: "The image is done.",
      schema: chatCompletion,
      examples: { image: ["An image, truncated", sample] },
      headers: ["X-Service-Job-Id", "X-Should-Retry", "Idempotent-Replayed", "Atelier-Ignored"],
      otherTypes: {
        "text/event-stream": {
          schema: z.string(),
          examples: { image: [null, `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`] },
        },
      },
    },
  },
  errors: [...imageErrors, "upload_invalid", "upload_quota_exceeded"],
  errorFormat: "openai",
});

/** `/v1/chat`. */
export const chatEndpoints = [createChatCompletion] as const;
