/** Properties of an AtelierError besides its code and message. */
export interface AtelierErrorOptions {
  /** HTTP status of the response; null without a response, or for a failed job. */
  readonly status?: number | null;
  readonly details?: unknown;
  readonly requestId?: string | null;
  readonly jobId?: string | null;
  /** `Retry-After` in milliseconds. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/**
 * An error of the service or of the client. `code` is the service's (`insufficient_credit`,
 * `content_policy_violation`, …) or one of the client's: `connection_failed`, `unexpected_answer`,
 * `download_failed`, `hash_mismatch`, `invalid_argument`. The message says what to do.
 */
export class AtelierError extends Error {
  override readonly name: string = "AtelierError";
  readonly code: string;
  readonly status: number | null;
  /** The service's `details`, such as the paths of invalid properties or the category of a refusal. */
  readonly details: unknown;
  /** Identifies the request in the service's log. */
  readonly requestId: string | null;
  /** The job of the error, if any. */
  readonly jobId: string | null;
  readonly retryAfterMs: number | null;

  constructor(code: string, message: string, options: AtelierErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? null;
    this.details = options.details ?? null;
    this.requestId = options.requestId ?? null;
    this.jobId = options.jobId ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** 401 and 403: the key is missing, invalid or revoked, or its account is suspended. */
export class NotAuthorizedError extends AtelierError {
  override readonly name = "NotAuthorizedError";
}

/** 402: the balance does not cover the price. `details` has `required_eur` and `balance_eur`. */
export class InsufficientCreditError extends AtelierError {
  override readonly name = "InsufficientCreditError";
}

/**
 * 400 and 422: the request must be changed; `details` says where. Also `invalid_argument`: an
 * address, id or key that cannot be sent.
 */
export class InvalidRequestError extends AtelierError {
  override readonly name = "InvalidRequestError";
}

/** A text or an image that moderation refused. */
export interface Refusal {
  /** Its place in the request, such as `scenes.2.prompt`; `image` for a finished image. */
  readonly path: string;
  readonly category: string;
  readonly strictness: string;
  /** `uncertain` when the words may be innocent: reword them. */
  readonly certainty: "certain" | "uncertain";
  /** The words of an uncertain refusal, and how they were read; null when as written. */
  readonly quoted?: readonly { readonly written: string; readonly read_as: string | null }[];
}

/** The content violates the service's policy, the law, or the provider's policy. */
export class RefusedError extends AtelierError {
  override readonly name = "RefusedError";

  /** The texts that moderation refused; empty when the provider refused. */
  get refusals(): readonly Refusal[] {
    return Array.isArray(this.details) ? (this.details as readonly Refusal[]) : [];
  }
}

/** 404: there is no such model, job or file. */
export class NotFoundError extends AtelierError {
  override readonly name = "NotFoundError";
}

/** 409: the job's state does not allow the operation, or `job_cancelled` while waiting for the job. */
export class ConflictError extends AtelierError {
  override readonly name = "ConflictError";
}

/** 429, after all retries. */
export class RateLimitError extends AtelierError {
  override readonly name = "RateLimitError";
}

/** 5xx: the service or its provider failed. */
export class ServiceError extends AtelierError {
  override readonly name = "ServiceError";
}

/** No response, or a response that is not from Atelier, after all retries. */
export class ConnectionError extends AtelierError {
  override readonly name = "ConnectionError";
}

/** A downloaded file does not match its hash. */
export class IntegrityError extends AtelierError {
  override readonly name = "IntegrityError";
}

const refusals = new Set(["content_policy_violation", "content_illegal", "provider_refused"]);

/** Creates the error of a response. */
export function createResponseError(
  status: number,
  code: string,
  message: string,
  options: AtelierErrorOptions,
): AtelierError {
  return new (classFor(code, status))(code, message, { ...options, status });
}

/** Creates the error of a failed job. */
export function createJobError(
  jobId: string,
  error: { readonly error: string; readonly message: string; readonly details?: unknown },
): AtelierError {
  // An accepted job fails because of its references, or for reasons other than the request.
  const status = error.error.startsWith("reference_") ? 422 : 500;
  const { details } = error;
  return new (classFor(error.error, status))(error.error, error.message, { jobId, details });
}

function classFor(code: string, status: number): typeof AtelierError {
  if (refusals.has(code)) return RefusedError;
  switch (status) {
    case 400:
    case 422:
      return InvalidRequestError;
    case 401:
    case 403:
      return NotAuthorizedError;
    case 402:
      return InsufficientCreditError;
    case 404:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 429:
      return RateLimitError;
    default:
      return status >= 500 ? ServiceError : AtelierError;
  }
}
