/** Every error code that a client can meet, with its HTTP status. */
export const errorStatus = {
  invalid_request: 400,
  request_too_large: 400,
  unsupported_media_type: 400,
  unauthorized: 401,
  insufficient_credit: 402,
  account_suspended: 403,
  key_not_permitted: 403,
  not_found: 404,
  model_not_found: 404,
  job_not_found: 404,
  file_not_found: 404,
  idempotency_in_progress: 409,
  job_cancelled: 409,
  job_not_cancellable: 409,
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
  content_policy_violation: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  too_many_jobs: 429,
  content_illegal: 451,
  internal_error: 500,
  provider_error: 502,
  provider_refused: 502,
  overloaded: 503,
  provider_unavailable: 503,
  shutting_down: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** What `details` of an error may hold: plain JSON. */
export type ErrorDetails = Record<string, unknown> | readonly unknown[] | null;

export interface AppErrorOptions {
  readonly details?: ErrorDetails;
  /** The same work, tried again later, may succeed. */
  readonly retryable?: boolean;
  /** How long to wait before that, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * A failure with a stable code. The message is read by the caller of the API:
 * it says what to do next and holds no secret, no SQL and nobody else's prompt.
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

  /** The same failure, whose details also tell which part of the request it is about. */
  at(path: string): AppError {
    const { code, message, details, retryable, retryAfterMs } = this;
    return new AppError(code, message, {
      details: { ...(details as object), path },
      retryable,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      cause: this,
    });
  }
}
