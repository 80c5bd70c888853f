import * as z from "zod";
import { optional } from "../fields.ts";
import { imageUrl } from "../request-fields.ts";
import { openaiImageRequest } from "./openai-images.ts";
import { sizeOptionFields } from "./openai-options.ts";

const { model, seed, stream, user, safety_identifier, metadata } = openaiImageRequest.shape;

/** An image of a message. Images that arrive in the body are replaced by the ids of uploads before parsing. */
const chatImage = z
  .object({
    type: z.literal("image_url"),
    // Some clients send the URL itself.
    image_url: z.preprocess(
      (value) => (typeof value === "string" ? { url: value } : value),
      z.object({
        url: z.string().meta({
          description:
            "A publicly accessible HTTPS URL, a signed URL of this service, or a `data:` URL of a PNG, JPEG, WebP or AVIF.",
          examples: ["https://images.example.com/harbour.png"],
        }),
      }),
    ),
  })
  .meta({ id: "ChatImage" });

const textPart = z.object({ type: z.literal("text"), text: z.string() });

/** Other types of parts, such as audio and files, have no effect. */
const otherPart = z.object({ type: z.string().regex(/^(?!(?:text|image_url)$)/) });

const message = z
  .object({
    role: z.string().meta({ examples: ["user"] }),
    content: optional(z.union([z.string(), z.array(z.union([textPart, chatImage, otherPart]))])),
    images: optional(z.array(chatImage)).meta({ description: "Images of an assistant message." }),
  })
  .meta({ id: "ChatMessage" });
export type ChatMessage = z.infer<typeof message>;

/**
 * Body of `POST /v1/chat/completions`, in the form of OpenRouter. Parameters that are not in it have no effect
 * and are named in the response header `Atelier-Ignored`.
 */
export const chatRequest = z
  .object({
    model,
    messages: z.array(message).min(1).max(10_000).meta({
      description:
        "The text of the last user message is the prompt; no other text is used. Its images are references; without one, the last image of an assistant message is changed. `data:` URLs in a text, as in Markdown, are images too.",
    }),
    modalities: optional(z.array(z.string())).meta({
      description:
        'Must contain `"image"`: other requests, as those for titles, are refused without a charge, unless the operator sets `CHAT_IMAGE_DEFAULT=on`.',
      examples: [["image", "text"]],
    }),
    n: optional(z.literal(1)).meta({ description: "One image for each request." }),
    stream: stream.meta({
      description: "Send the image as one chunk, after comments that keep the connection open.",
    }),
    image_config: optional(z.object(sizeOptionFields)).meta({
      description: "Sizes of new images, where the model can; an edit honours `image_size`.",
      examples: [{ aspect_ratio: "16:9" }],
    }),
    seed,
    user,
    safety_identifier,
    metadata,
  })
  .meta({ id: "ChatRequest" });
export type ChatRequest = z.infer<typeof chatRequest>;

/** A URL that the service reads images from. */
export const chatImageUrl = imageUrl("file_id");

const tokens = z.int().min(0);

/** 200 of `POST /v1/chat/completions`. */
export const chatCompletion = z
  .strictObject({
    id: z.string().meta({ description: "The job with the prefix `chatcmpl-`." }),
    object: z.literal("chat.completion"),
    created: z.int().meta({ description: "Completion time in seconds since 1970." }),
    model: z.string(),
    choices: z
      .array(
        z.strictObject({
          index: z.literal(0),
          message: z.strictObject({
            role: z.literal("assistant"),
            content: z.literal(""),
            images: z
              .array(
                z.strictObject({
                  type: z.literal("image_url"),
                  index: z.literal(0),
                  image_url: z.strictObject({
                    url: z.string().meta({ description: "A PNG as a `data:` URL." }),
                  }),
                }),
              )
              .length(1),
          }),
          finish_reason: z.literal("stop"),
        }),
      )
      .length(1),
    usage: z
      .strictObject({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens })
      .optional()
      .meta({
        description: "Tokens by the count of the model's vendor. Absent when it counts none.",
      }),
  })
  .meta({ id: "ChatCompletion" });
export type ChatCompletion = z.infer<typeof chatCompletion>;
