/** All error codes of the API with their HTTP statuses. */
export const errorStatus = {
  invalid_request: 400,
  request_too_large: 400,
  unsupported_media_type: 400,
  unauthorized: 401,
  insufficient_credit: 402,
  key_budget_exhausted: 402,
  account_suspended: 403,
  url_expired: 403,
  key_not_permitted: 403,
  url_invalid: 403,
  not_found: 404,
  model_not_found: 404,
  job_not_found: 404,
  key_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  file_not_found: 404,
  upload_not_found: 404,
  batch_not_found: 404,
  character_not_found: 404,
  location_not_found: 404,
  collection_not_found: 404,
  preset_not_found: 404,
  idempotency_in_progress: 409,
  too_many_keys: 409,
  too_many_webhooks: 409,
  job_cancelled: 409,
  job_not_cancellable: 409,
  job_not_final: 409,
  images_in_use: 409,
  upload_quota_exceeded: 409,
  keep_quota_exceeded: 409,
  too_many_items: 409,
  job_redacted: 409,
  model_not_capable: 422,
  unsupported_aspect_ratio: 422,
  unsupported_image_size: 422,
  references_not_supported: 422,
  unknown_character: 422,
  unknown_state: 422,
  unknown_location: 422,
  duplicate_name: 422,
  reference_unreachable: 422,
  reference_invalid: 422,
  image_invalid: 422,
  webhook_secret_missing: 422,
  upload_invalid: 422,
  diagram_invalid: 422,
  content_policy_violation: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  too_many_jobs: 429,
  too_many_streams: 429,
  content_illegal: 451,
  internal_error: 500,
  provider_error: 502,
  provider_refused: 502,
  overloaded: 503,
  provider_unavailable: 503,
  shutting_down: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Error codes of API operations, without those of unknown paths and signed image URLs. */
export type OperationError = Exclude<ErrorCode, "not_found" | "url_expired" | "url_invalid">;

/** `details` of an error: plain JSON. */
export type ErrorDetails = Record<string, unknown> | readonly unknown[] | null;

interface AppErrorOptions {
  readonly details?: ErrorDetails;
  /** Whether the same operation may succeed later. */
  readonly retryable?: boolean;
  /** Delay before a retry, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * An error with a stable code. The message is for API clients: it says what to do, and contains no
 * secrets, no SQL and no other client's prompt.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? null;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorStatus[this.code];
  }

  /** Returns this error with `details` that name the part of the request that caused it. */
  at(path: string): AppError {
    const { code, message, details, retryable, retryAfterMs } = this;
    return new AppError(code, message, {
      details: [{ path, code, message, ...(details as object | null) }],
      retryable,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      cause: this,
    });
  }
}
