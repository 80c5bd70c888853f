import type { ErrorCode, ErrorDetails } from "@atelier/schemas";
import { jobId } from "./sample-answers.ts";

interface ErrorExample {
  /** When a client meets it. */
  readonly summary: string;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** A code that an operation answers with: not for a path that there is not, nor for a signed URL. */
export type OperationError = Exclude<ErrorCode, "not_found" | "key_not_permitted">;

/** One answer for every code. */
export const errorExamples: Record<OperationError, ErrorExample> = {
  invalid_request: {
    summary: "Not JSON, or not as the schema says",
    message:
      'promt: Unknown property "promt": did you mean "prompt"? Correct the request and send it again.',
    details: [
      {
        path: "promt",
        code: "unknown_property",
        message: 'Unknown property "promt": did you mean "prompt"?',
      },
    ],
  },
  request_too_large: {
    summary: "A body of more than 1 MB",
    message: "The body is larger than 1 MB. Send less.",
    details: null,
  },
  unsupported_media_type: {
    summary: "A body that is not JSON",
    message: "Send the request as JSON, with the header Content-Type: application/json.",
    details: null,
  },
  unauthorized: {
    summary: "No key, or one that is not valid",
    message: "Send your API key as Authorization: Bearer <key>.",
    details: null,
  },
  insufficient_credit: {
    summary: "The request can cost more than there is",
    message:
      "This costs 0.04 EUR and the balance is 0.01 EUR. Top up the account and send the request again.",
    details: { required_eur: "0.04", balance_eur: "0.01" },
  },
  account_suspended: {
    summary: "The account is suspended",
    message: "This account is suspended. Ask the operator of this service.",
    details: null,
  },
  model_not_found: {
    summary: "There is no such model, or not any more",
    message: 'There is no model "dall-e". GET /v1/models lists the models there are.',
    details: { model: "dall-e", successor: null },
  },
  job_not_found: {
    summary: "The account has no such job",
    message: "There is no job with this id. GET /v1/jobs lists yours.",
    details: null,
  },
  file_not_found: {
    summary: "There is no such template",
    message: "There is no such skill file. GET /v1/files lists those there are.",
    details: null,
  },
  idempotency_in_progress: {
    summary: "The first request with this key is still being answered",
    message:
      "The first request with this Idempotency-Key is still being answered. Send it again later, or read the job.",
    details: { job_id: jobId },
  },
  job_cancelled: {
    summary: "The job was cancelled while the request waited for it",
    message:
      "This job was cancelled and nothing was charged. To have it made, send the request again with a new Idempotency-Key.",
    details: null,
  },
  job_not_cancellable: {
    summary: "The job is final, or an image of it is being made",
    message: "This job is completed. Only a job that is not final can be cancelled.",
    details: { status: "completed" },
  },
  model_not_capable: {
    summary: "The model has no multi-turn support",
    message:
      "builtin-pattern cannot make stories. Use a model whose supports_multiturn is true: GET /v1/models lists them.",
    details: { path: "model", required: "supports_multiturn" },
  },
  unsupported_aspect_ratio: {
    summary: "The model has no such aspect ratio",
    message:
      "builtin-illustrator has no aspect ratio 5:1. Use one of 1:1, 4:3, 3:4, 3:2, 2:3, 16:9, 9:16, 21:9.",
    details: [
      {
        path: "aspect_ratio",
        supported: ["1:1", "4:3", "3:4", "3:2", "2:3", "16:9", "9:16", "21:9"],
        code: "unsupported_aspect_ratio",
        message:
          "builtin-illustrator has no aspect ratio 5:1. Use one of 1:1, 4:3, 3:4, 3:2, 2:3, 16:9, 9:16, 21:9.",
      },
    ],
  },
  unsupported_image_size: {
    summary: "The model has no such image size",
    message: "builtin-illustrator has no image size 8K. Use one of 1K, 2K, 4K.",
    details: [
      {
        path: "image_size",
        supported: ["1K", "2K", "4K"],
        code: "unsupported_image_size",
        message: "builtin-illustrator has no image size 8K. Use one of 1K, 2K, 4K.",
      },
    ],
  },
  references_not_supported: {
    summary: "The model looks at no references, or at fewer",
    message:
      "builtin-pattern does not look at reference images. Leave reference_images out, or use a model whose supports_references is true.",
    details: [
      {
        path: "reference_images",
        max: 0,
        code: "references_not_supported",
        message:
          "builtin-pattern does not look at reference images. Leave reference_images out, or use a model whose supports_references is true.",
      },
    ],
  },
  unknown_character: {
    summary: "A scene names a character that there is not",
    message:
      'scenes.0.characters.0.name: There is no character "Otto"; there is "Mira". Correct the request and send it again.',
    details: [
      {
        path: "scenes.0.characters.0.name",
        code: "unknown_character",
        message: 'There is no character "Otto"; there is "Mira"',
        available: ["Mira"],
      },
    ],
  },
  unknown_state: {
    summary: "A scene names a state that its character has not",
    message:
      'scenes.1.characters.0.state: The character "Mira" has no state "asleep"; there is "rain". Correct the request and send it again.',
    details: [
      {
        path: "scenes.1.characters.0.state",
        code: "unknown_state",
        message: 'The character "Mira" has no state "asleep"; there is "rain"',
        available: ["rain"],
      },
    ],
  },
  unknown_location: {
    summary: "A scene names a location that there is not",
    message:
      'scenes.0.location: There is no location "Moon"; there is "Beach". Correct the request and send it again.',
    details: [
      {
        path: "scenes.0.location",
        code: "unknown_location",
        message: 'There is no location "Moon"; there is "Beach"',
        available: ["Beach"],
      },
    ],
  },
  duplicate_name: {
    summary: "Two of a list have the same name",
    message:
      'characters.1.name: Two characters have the name "Mira". Correct the request and send it again.',
    details: [
      {
        path: "characters.1.name",
        code: "duplicate_name",
        message: 'Two characters have the name "Mira"',
      },
    ],
  },
  reference_unreachable: {
    summary: "A reference cannot be fetched",
    message:
      "The reference image could not be reached. Give an HTTPS URL that anyone on the internet can open.",
    details: { reason: "unreachable", path: "reference_images.0.url" },
  },
  reference_invalid: {
    summary: "A reference is not an image that can be used",
    message: "The reference is not a PNG, JPEG or WebP image. Give one in one of these formats.",
    details: { reason: "not_an_image", path: "reference_images.0.url" },
  },
  content_policy_violation: {
    summary: "Moderation refused a text at this strictness",
    message:
      "The request does not keep to the content policy. Change the text that details.path names; nothing was charged.",
    details: { category: "gore", strictness: "normal", path: "prompt" },
  },
  idempotency_key_reused: {
    summary: "The key was used for another request",
    message:
      "This Idempotency-Key was used for another request. Use a new key for each new request.",
    details: null,
  },
  rate_limited: {
    summary: "The key sent too many requests",
    message:
      "This key may send 300 such requests a minute. Wait as long as Retry-After says, then send it again.",
    details: { limit_per_minute: 300 },
  },
  too_many_jobs: {
    summary: "The account has too many unfinished jobs",
    message:
      "The account has 100 unfinished jobs, which is its limit. Wait until some are done, or cancel some.",
    details: { max_unfinished_jobs: 100 },
  },
  content_illegal: {
    summary: "Moderation refused a text at every strictness",
    message:
      "The request asks for content that is not made at any strictness. Nothing was charged.",
    details: { category: "forgery", strictness: "liberal", path: "prompt" },
  },
  internal_error: {
    summary: "Something went wrong in the service",
    message:
      "Something went wrong on our side. Try again; if it stays, tell the operator the request_id.",
    details: null,
  },
  provider_error: {
    summary: "The provider failed for good",
    message: "The provider could not make the image. Nothing was charged; please try again later.",
    details: null,
  },
  provider_refused: {
    summary: "The provider's own policy refused the image",
    message:
      "The provider's own policy refused this image. Change the prompt; nothing was charged.",
    details: { provider: "openai", stage: "image", categories: ["violence"] },
  },
  overloaded: {
    summary: "The service cannot take requests now",
    message: "The service cannot take requests now. Try again later.",
    details: null,
  },
  provider_unavailable: {
    summary: "The model cannot be used now",
    message:
      "This model cannot be used at the moment. Use another one, or try again later; nothing was charged.",
    details: null,
  },
  shutting_down: {
    summary: "This server is being stopped",
    message: "This server is being stopped. Send the request again after Retry-After.",
    details: null,
  },
};
