import * as z from "zod";
import { errorStatus, type ErrorCode, type ErrorDetails } from "./errors.ts";
import { modelId, optional, prompt } from "./fields.ts";
import { imageFormat } from "./responses.ts";

/** For parameters of which only the values that change nothing can be kept. */
function onlyDefault(...values: [string, ...string[]]) {
  return optional(z.enum(values)).meta({ description: "Taken, and without effect." });
}

/**
 * Body of `POST /v1/images/generations`: what OpenAI's clients send, as far as it can be kept. What
 * would be dropped silently, such as `n: 2`, is refused instead.
 */
export const openaiImageRequest = z
  .strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What the image shows.",
      examples: ["a lighthouse at dusk"],
    }),
    n: optional(z.literal(1)).meta({ description: "One image is made by each request." }),
    size: optional(
      z
        .string()
        .regex(/^(auto|[1-9]\d{1,4}x[1-9]\d{1,4})$/, 'must be "auto" or a size like "1536x1024"')
        .meta({ examples: ["1536x1024"] }),
    ).meta({
      description:
        "The model's aspect ratio and image size that are nearest to these pixels are used; its defaults for `auto`, and when left out.",
    }),
    response_format: optional(z.enum(["url", "b64_json"])).meta({
      description: "`url`, which is used when it is left out, or the bytes in base64.",
    }),
    output_format: optional(imageFormat).meta({ description: "`png` when left out." }),
    moderation: optional(z.enum(["auto", "low"])).meta({
      description: "`low` is the strictness `liberal`; `auto` is the account's own.",
    }),
    quality: onlyDefault("auto", "standard"),
    background: onlyDefault("auto", "opaque"),
    stream: optional(z.literal(false)).meta({ description: "Nothing is streamed." }),
    user: optional(z.string().max(1_000)).meta({ description: "Taken, and without effect." }),
  })
  .meta({ id: "OpenAIImageRequest" });
export type OpenAIImageRequest = z.infer<typeof openaiImageRequest>;

/** 200 of `POST /v1/images/generations`. */
export const openaiImages = z
  .strictObject({
    created: z.int().meta({ description: "When the image was done, in seconds since 1970." }),
    data: z
      .array(
        z.strictObject({
          url: z.url().optional().meta({ description: "A signed URL. Expires in 1 hour." }),
          b64_json: z.base64().optional().meta({ description: "The bytes of the file." }),
        }),
      )
      .length(1),
    output_format: imageFormat,
  })
  .meta({ id: "OpenAIImages" });
export type OpenAIImages = z.infer<typeof openaiImages>;

/** Body of every answer of `POST /v1/images/generations` that is not a 2xx. */
export const openaiErrorBody = z
  .strictObject({
    error: z.strictObject({
      message: z.string().meta({ description: "What happened, and what to do next." }),
      type: z.string().meta({ description: "The kind of error, in OpenAI's words." }),
      code: z.string().meta({ description: "The same stable codes as everywhere." }),
      param: z.string().nullable().meta({ description: "The parameter that is wrong." }),
    }),
  })
  .meta({ id: "OpenAIError" });
export type OpenAIErrorBody = z.infer<typeof openaiErrorBody>;

/** What OpenAI calls errors with a status. */
const openaiTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "insufficient_quota",
  403: "permission_error",
  429: "rate_limit_error",
  500: "server_error",
  502: "server_error",
  503: "server_error",
};

/** An error as OpenAI's clients are told of it. */
export interface OpenAIError {
  readonly status: number;
  readonly body: OpenAIErrorBody;
}

/**
 * An error in OpenAI's shape, with our code. What is wrong with a request is 400, as with OpenAI,
 * where it is 422 or 451 elsewhere; so clients throw what they throw for a refused prompt.
 *
 * @param error.code an error code, or `job_unfinished`, which only this operation has: elsewhere an
 *   image that is not done in time is 202.
 */
export function toOpenAIError(error: {
  readonly code: ErrorCode | "job_unfinished";
  readonly message: string;
  readonly details: ErrorDetails;
}): OpenAIError {
  const { code, message } = error;
  const own = errorStatus[code === "job_unfinished" ? "overloaded" : code];
  const status = own === 422 || own === 451 ? 400 : own;
  const type = openaiTypes[status] ?? "invalid_request_error";
  return { status, body: { error: { message, type, code, param: paramOf(error.details) } } };
}

/** The path of the first problem in an error's details. */
function paramOf(details: ErrorDetails): string | null {
  const first: unknown = Array.isArray(details) ? details[0] : details;
  if (typeof first !== "object" || first === null || !("path" in first)) return null;
  return typeof first.path === "string" && first.path !== "" ? first.path : null;
}
