import { exampleJobId } from "./request-fields.ts";
import { notFoundErrors } from "./resources.ts";

// Longer than 400 lines: one table, with the status and an example of each error.

/** `details` of an error: plain JSON. */
export type ErrorDetails = Record<string, unknown> | readonly unknown[] | null;

interface ErrorExample {
  /** When the error occurs. */
  readonly summary: string;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** A second example of `content_policy_violation`. */
export const uncertainRefusal: ErrorExample = {
  summary: "Moderation may have misread a text, and quotes the words",
  message:
    'The words "bras" (read as "bra") may violate the content policy (sexual_minors). Reword the text at scenes.2.prompt; nothing was charged.',
  details: [
    {
      path: "scenes.2.prompt",
      code: "content_policy_violation",
      message:
        'The words "bras" (read as "bra") may violate the content policy (sexual_minors). Reword the text at scenes.2.prompt; nothing was charged.',
      category: "sexual_minors",
      strictness: "normal",
      certainty: "uncertain",
      quoted: [{ written: "bras", read_as: "bra" }],
    },
  ],
};

const webhookSecretMissing =
  "The account has no secret that signs deliveries to a webhook_url. Create it with POST /v1/account/webhook-secret, or omit webhook_url.";

/** Error codes of the admin port. */
export const adminErrors = {
  not_permitted: {
    status: 403,
    summary: "The session may only read, or the request comes from another page",
    message: "This session may only read. Sign in as an operator to change something.",
    details: { reason: "read_only" },
  },
  account_not_found: {
    status: 404,
    summary: "The account does not exist",
    message: "This account does not exist. GET /admin/v1/accounts finds accounts.",
    details: null,
  },
  lane_not_found: {
    status: 404,
    summary: "The lane does not exist",
    message: "There is no lane of this name. GET /admin/v1/health lists the lanes.",
    details: null,
  },
  change_refused: {
    status: 409,
    summary: "The change is not possible, or the operator log does not take it",
    message: "The balance is smaller than the amount.",
    details: { reason: "balance_too_small" },
  },
} as const satisfies Record<string, ErrorExample & { readonly status: number }>;

/** All error codes of the API with their HTTP statuses, and an example of those of operations. */
export const errorCodes = {
  invalid_request: {
    status: 400,
    summary: "The request is not valid JSON, or does not match the schema",
    message:
      'promt is not a known property; did you mean "prompt"? Correct the request and send it again.',
    details: [
      {
        path: "promt",
        code: "unknown_property",
        message: 'is not a known property; did you mean "prompt"?',
      },
    ],
  },
  request_too_large: {
    status: 400,
    summary: "The body is larger than 1 MB",
    message: "The body is larger than 1 MB. Send less.",
    details: null,
  },
  unsupported_media_type: {
    status: 400,
    summary: "The body is not JSON",
    message: "Send the request as JSON, with the header Content-Type: application/json.",
    details: null,
  },
  unauthorized: {
    status: 401,
    summary: "The key is missing or invalid",
    message: "Send your API key as Authorization: Bearer <key>.",
    details: null,
  },
  insufficient_credit: {
    status: 402,
    summary: "The price exceeds the balance",
    message:
      "This costs 0.04 EUR and the balance is 0.01 EUR. Top up the account and send the request again.",
    details: { required_eur: "0.04", balance_eur: "0.01" },
  },
  key_budget_exhausted: {
    status: 402,
    summary: "The request can cost more than the key's budget has left",
    message:
      "This costs 0.04 EUR, and this key has spent 4.98 of its budget of 5.00 EUR. The budget starts again at 2026-12-01T00:00:00.000Z.",
    details: {
      budget_eur: "5.00",
      spent_eur: "4.98",
      required_eur: "0.04",
      resets_at: "2026-12-01T00:00:00.000Z",
    },
  },
  budget_exhausted: {
    status: 402,
    summary: "The request can cost more than the shared budget of the key has left",
    message:
      'This costs 0.04 EUR, and the keys of the budget "Design team" have spent 99.98 of its 100.00 EUR. The budget starts again at 2026-12-01T00:00:00.000Z.',
    details: {
      budget_id: "019a9f57-2b40-7f15-8c9a-4d7e10b3a6f2",
      budget_name: "Design team",
      budget_eur: "100.00",
      spent_eur: "99.98",
      required_eur: "0.04",
      resets_at: "2026-12-01T00:00:00.000Z",
    },
  },
  account_suspended: {
    status: 403,
    summary: "The account is suspended",
    message: "This account is suspended. Ask the operator of this service.",
    details: null,
  },
  url_expired: { status: 403 },
  key_not_permitted: {
    status: 403,
    summary: "The key lacks a scope, or may not use the model",
    message:
      "This key has no scope generate. Use a key that has it, or ask the owner of the account.",
    details: { required_scope: "generate", scopes: ["read"] },
  },
  url_invalid: { status: 403 },
  not_found: { status: 404 },
  ...adminErrors,
  model_not_found: {
    status: 404,
    summary: "The model does not exist or is retired",
    message: 'Model "dall-e" does not exist. GET /v1/models lists the available models.',
    details: [
      {
        path: "model",
        code: "model_not_found",
        message: 'Model "dall-e" does not exist. GET /v1/models lists the available models.',
        successor: null,
      },
    ],
  },
  job_not_found: {
    status: 404,
    summary: "The job does not exist",
    message: "This job does not exist. GET /v1/jobs lists your jobs.",
    details: null,
  },
  key_not_found: {
    status: 404,
    summary: "The account has no such key",
    message: "This key does not exist. GET /v1/keys lists the keys of the account with their ids.",
    details: null,
  },
  member_not_found: {
    status: 404,
    summary: "The account has no such member",
    message: "The account has no such member. GET /v1/members lists its members with their ids.",
    details: null,
  },
  webhook_not_found: {
    status: 404,
    summary: "The account has no such webhook",
    message: "The account has no such webhook. GET /v1/webhooks lists its webhooks with their ids.",
    details: null,
  },
  delivery_not_found: {
    status: 404,
    summary: "The account has no such delivery, or its webhook is disabled",
    message:
      "The account has no such delivery, or its webhook is disabled. GET /v1/webhooks/{id}/deliveries lists deliveries.",
    details: null,
  },
  file_not_found: {
    status: 404,
    summary: "The template does not exist",
    message: "This skill file does not exist. GET /v1/files lists the available files.",
    details: null,
  },
  upload_not_found: {
    status: 404,
    summary: "The upload does not exist, or has expired",
    message:
      "There is no upload with this id. Uploads are kept for a while only; send the image again.",
    details: null,
  },
  batch_not_found: {
    status: 404,
    summary: "The batch does not exist",
    message: "This batch does not exist. GET /v1/batches lists your batches.",
    details: null,
  },
  character_not_found: {
    status: 404,
    summary: "The character does not exist",
    message: "There is no character with this id. GET /v1/characters lists your characters.",
    details: null,
  },
  location_not_found: {
    status: 404,
    summary: "The location does not exist",
    message: "There is no location with this id. GET /v1/locations lists your locations.",
    details: null,
  },
  ...notFoundErrors,
  assistant_off: {
    status: 404,
    summary: "The server has no assistant",
    message:
      "This server has no assistant. Write the texts yourself, or ask the operator to set ASSISTANT_URL.",
    details: null,
  },
  budget_not_found: {
    status: 404,
    summary: "There is no such budget",
    message: "There is no budget with this id. GET /v1/budgets lists your budgets.",
    details: null,
  },
  idempotency_in_progress: {
    status: 409,
    summary: "The first request with this key is still being processed",
    message:
      "The first request with this Idempotency-Key is still in progress. Send it again later, or read the job.",
    details: { job_id: exampleJobId },
  },
  too_many_keys: {
    status: 409,
    summary: "The account has as many keys as it may",
    message:
      "The account has 100 keys of this mode, which is the limit. Revoke one that you no longer use.",
    details: { max_keys: 100 },
  },
  member_exists: {
    status: 409,
    summary: "A member of the account has this e-mail address",
    message:
      "A member of the account has this e-mail address. Send that member a new link, or enable it.",
    details: { member_id: "019aa1c2-4b5d-7e6f-8a90-b1c2d3e4f506" },
  },
  member_disabled: {
    status: 409,
    summary: "The member is disabled",
    message: "This member is disabled. Enable it first.",
    details: null,
  },
  last_owner: {
    status: 409,
    summary: "The account would have no owner any more",
    message: "This is the last owner of the account. Make another member an owner first.",
    details: null,
  },
  too_many_webhooks: {
    status: 409,
    summary: "The account has as many webhooks as it may",
    message:
      "The account has 20 webhooks of keys of this mode, which is the limit. Delete one that is not used any more.",
    details: { max_webhooks: 20 },
  },
  job_cancelled: {
    status: 409,
    summary: "The job was cancelled while the request waited for its image",
    message:
      "This job was cancelled and nothing was charged. To generate it, send the request again with a new Idempotency-Key.",
    details: null,
  },
  job_not_cancellable: {
    status: 409,
    summary: "The job is final, or its image is being made",
    message: "This job is completed. Only a job that is not final can be cancelled.",
    details: { status: "completed" },
  },
  job_not_final: {
    status: 409,
    summary: "The job is not final",
    message: "This job is processing. Wait until it is completed, or cancel it.",
    details: { status: "processing" },
  },
  images_in_use: {
    status: 409,
    summary: "An unfinished job uses an image of this job as a reference",
    message:
      "An unfinished job uses an image of this job as a reference. Wait until it is done, or cancel it.",
    details: null,
  },
  upload_quota_exceeded: {
    status: 409,
    summary: "The uploads of the account would exceed its quota",
    message:
      "The uploads of this account would exceed its quota. Delete uploads that are not needed, or wait until they expire.",
    details: { quota_bytes: 500_000_000 },
  },
  keep_quota_exceeded: {
    status: 409,
    summary: "The images that the account keeps would exceed its quota",
    message:
      "The account keeps 999.1 of 1000.0 MB, and this needs 4.2 MB more. Stop keeping jobs that are not needed, such as the largest in details, with DELETE /v1/jobs/{id}/keep, or delete characters and locations.",
    details: {
      used_bytes: 999_120_344,
      quota_bytes: 1_000_000_000,
      required_bytes: 4_201_773,
      largest: [{ job_id: "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46", size_bytes: 61_200_431 }],
    },
  },
  budget_in_use: {
    status: 409,
    summary: "The budget has keys that are valid or may become valid again",
    message:
      "This budget has 3 keys and 1 member, which would have no limit without it. First move or revoke its keys, also expired ones; take its members out of it, and enable or remove disabled ones.",
    details: { keys: 4, members: 1 },
  },
  too_many_items: {
    status: 409,
    summary: "The account has as many as it may",
    message:
      "The account has 10000 starred jobs, which is its limit. Remove some with PATCH /v1/jobs/{id}.",
    details: { max_items: 10_000 },
  },
  job_redacted: {
    status: 409,
    summary: "The texts of the job were removed after their time",
    message:
      "The texts of this job were removed, so it takes no title and no book. Generate it again.",
    details: null,
  },
  model_not_capable: {
    status: 422,
    summary: "The model lacks an operation or option that the request uses",
    message:
      "builtin-pattern does not support negative_prompt. Use a model whose supports_negative_prompt is true: GET /v1/models lists them.",
    details: [
      {
        path: "negative_prompt",
        code: "model_not_capable",
        capability: "negative_prompt",
        message:
          "builtin-pattern does not support negative_prompt. Use a model whose supports_negative_prompt is true: GET /v1/models lists them.",
      },
    ],
  },
  unsupported_aspect_ratio: {
    status: 422,
    summary: "The model does not support the aspect ratio",
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
    status: 422,
    summary: "The model does not support the image size",
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
    status: 422,
    summary: "The model supports no reference images, or fewer",
    message:
      "builtin-pattern does not support reference images. Omit reference_images, or use a model whose supports_references is true.",
    details: [
      {
        path: "reference_images",
        max: 0,
        code: "references_not_supported",
        message:
          "builtin-pattern does not support reference images. Omit reference_images, or use a model whose supports_references is true.",
      },
    ],
  },
  unknown_character: {
    status: 422,
    summary: "A scene uses an undefined character",
    message:
      'scenes.0.characters.0.name: character "Otto" is not defined; defined: "Mira". Correct the request and send it again.',
    details: [
      {
        path: "scenes.0.characters.0.name",
        code: "unknown_character",
        message: 'character "Otto" is not defined; defined: "Mira"',
        available: ["Mira"],
      },
    ],
  },
  unknown_state: {
    status: 422,
    summary: "A scene uses an undefined state of a character",
    message:
      'scenes.1.characters.0.state: character "Mira" has no state "asleep"; defined: "rain". Correct the request and send it again.',
    details: [
      {
        path: "scenes.1.characters.0.state",
        code: "unknown_state",
        message: 'character "Mira" has no state "asleep"; defined: "rain"',
        available: ["rain"],
      },
    ],
  },
  unknown_location: {
    status: 422,
    summary: "A scene uses an undefined location",
    message:
      'scenes.0.location: location "Moon" is not defined; defined: "Beach". Correct the request and send it again.',
    details: [
      {
        path: "scenes.0.location",
        code: "unknown_location",
        message: 'location "Moon" is not defined; defined: "Beach"',
        available: ["Beach"],
      },
    ],
  },
  duplicate_name: {
    status: 422,
    summary: "Two items of a list have the same name",
    message:
      'characters.1.name must be unique: "Mira" occurs more than once. Correct the request and send it again.',
    details: [
      {
        path: "characters.1.name",
        code: "duplicate_name",
        message: 'must be unique: "Mira" occurs more than once',
      },
    ],
  },
  reference_unreachable: {
    status: 422,
    summary: "A reference image cannot be fetched",
    message: "reference_images.0: the image could not be reached. Use a public HTTPS URL.",
    details: [
      {
        path: "reference_images.0.url",
        code: "reference_unreachable",
        message: "reference_images.0: the image could not be reached. Use a public HTTPS URL.",
        reason: "unreachable",
      },
    ],
  },
  reference_invalid: {
    status: 422,
    summary: "A reference is not a valid image",
    message:
      "reference_images.0: the image is not a PNG, JPEG, WebP or AVIF image. Use one of these formats.",
    details: [
      {
        path: "reference_images.0.url",
        code: "reference_invalid",
        message:
          "reference_images.0: the image is not a PNG, JPEG, WebP or AVIF image. Use one of these formats.",
        reason: "not_an_image",
      },
    ],
  },
  image_invalid: {
    status: 422,
    summary: "The file is not a readable image",
    message:
      "The file cannot be read. Send a PNG, JPEG, WebP, AVIF or GIF image of at most 40 megapixels, or an SVG.",
    details: null,
  },
  webhook_secret_missing: {
    status: 422,
    summary: "The account has no secret for `webhook_url`",
    message: webhookSecretMissing,
    details: [
      { path: "webhook_url", code: "webhook_secret_missing", message: webhookSecretMissing },
    ],
  },
  upload_invalid: {
    status: 422,
    summary: "The body is not a usable image",
    message:
      "The body is not an image that can be used. Send a PNG, JPEG, WebP or AVIF of at most 40 million pixels (a JPEG 50 million, an AVIF 24 million) and edges of at most 16,384, without animation or high dynamic range.",
    details: [
      {
        path: "",
        code: "upload_invalid",
        message: "is not a usable image",
        reason: "not_an_image",
      },
    ],
  },
  diagram_invalid: {
    status: 422,
    summary: "A diagram has a syntax error",
    message: "This line is not an arrow, a shape or a group. Correct line 2, column 5 of source.",
    details: [
      {
        path: "source",
        code: "diagram_invalid",
        message: "This line is not an arrow, a shape or a group.",
        line: 2,
        column: 5,
      },
    ],
  },
  content_policy_violation: {
    status: 422,
    summary: "Moderation refused a text at this strictness",
    message:
      "The request violates the content policy. Change the text that details[0].path names; nothing was charged.",
    details: [
      {
        path: "prompt",
        code: "content_policy_violation",
        message:
          "The request violates the content policy. Change the text that details[0].path names; nothing was charged.",
        category: "gore",
        strictness: "normal",
        certainty: "certain",
      },
    ],
  },
  idempotency_key_reused: {
    status: 422,
    summary: "The key was used for another request",
    message:
      "This Idempotency-Key was used for another request. Use a new key for each new request.",
    details: null,
  },
  rate_limited: {
    status: 429,
    summary: "The key sent too many requests",
    message:
      "This key may send 300 such requests a minute. Send the request again after Retry-After.",
    details: { limit_per_minute: 300 },
  },
  too_many_jobs: {
    status: 429,
    summary: "The account has too many unfinished jobs",
    message:
      "The account has 100 unfinished jobs, which is its limit. Wait until some are done, or cancel some.",
    details: { max_unfinished_jobs: 100 },
  },
  too_many_streams: {
    status: 429,
    summary: "The account has as many open event streams as it may",
    message:
      "The account has 100 open event streams, which is the limit. Close one, or follow several jobs with GET /v1/events.",
    details: { max_streams: 100 },
  },
  content_illegal: {
    status: 451,
    summary: "Moderation refused a text at every strictness",
    message: "The request violates the content policy at every strictness. Nothing was charged.",
    details: [
      {
        path: "prompt",
        code: "content_illegal",
        message:
          "The request violates the content policy at every strictness. Nothing was charged.",
        category: "forgery",
        strictness: "liberal",
        certainty: "certain",
      },
    ],
  },
  internal_error: {
    status: 500,
    summary: "An internal error",
    message:
      "An internal error occurred. Try again; if the error persists, send the request_id to the operator.",
    details: null,
  },
  provider_error: {
    status: 502,
    summary: "The provider failed after all tries",
    message: "The provider could not make the image. Nothing was charged; please try again later.",
    details: null,
  },
  provider_refused: {
    status: 502,
    summary: "The provider's policy refused the image",
    message:
      "The provider's own policy refused this image. Change the prompt; nothing was charged.",
    details: { provider: "openai", stage: "image", categories: ["violence"] },
  },
  overloaded: {
    status: 503,
    summary: "The service is overloaded",
    message: "The service cannot take requests now. Try again later.",
    details: null,
  },
  provider_unavailable: {
    status: 503,
    summary: "The model is temporarily unavailable",
    message:
      "This model cannot be used at the moment. Use another one, or try again later; nothing was charged.",
    details: null,
  },
  shutting_down: {
    status: 503,
    summary: "The server is shutting down",
    message: "This server is being stopped. Send the request again after Retry-After.",
    details: null,
  },
} as const satisfies Readonly<
  Record<string, { readonly status: number } | ({ readonly status: number } & ErrorExample)>
>;
