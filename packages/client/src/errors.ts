/** What is known of a failure beside its code and message. */
export interface AtelierErrorOptions {
  /** HTTP status of the answer; null when there was none, or when a job failed. */
  readonly status?: number | null;
  readonly details?: unknown;
  readonly requestId?: string | null;
  readonly jobId?: string | null;
  /** How long the service asks to wait before another try, in milliseconds. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/**
 * Anything that goes wrong between this client and a service. `code` is the service's own
 * (`insufficient_credit`, `content_policy_violation`, …), or one of this client: `connection_failed`,
 * `unexpected_answer`, `download_failed`, `hash_mismatch`, `invalid_argument`. The message says what
 * to do.
 */
export class AtelierError extends Error {
  override readonly name: string = "AtelierError";
  readonly code: string;
  readonly status: number | null;
  /** What the service adds, such as the paths of wrong properties or the category of a refusal. */
  readonly details: unknown;
  /** Tell it to the operator of the service. */
  readonly requestId: string | null;
  /** The job behind the failure, where there is one. */
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

/** 401 and 403: the key is missing, wrong or revoked, or its account is suspended. */
export class NotAuthorizedError extends AtelierError {
  override readonly name = "NotAuthorizedError";
}

/** 402: the balance does not cover the price. `details` has `required_eur` and `balance_eur`. */
export class InsufficientCreditError extends AtelierError {
  override readonly name = "InsufficientCreditError";
}

/**
 * 400 and 422: the request has to be changed. `details` says where. Also `invalid_argument`: an
 * address, an id or a key that could not be sent at all.
 */
export class InvalidRequestError extends AtelierError {
  override readonly name = "InvalidRequestError";
}

/** The content is against a policy: the service's, the law's, or the provider's. */
export class RefusedError extends AtelierError {
  override readonly name = "RefusedError";
}

/** 404: there is no such model, job or file. */
export class NotFoundError extends AtelierError {
  override readonly name = "NotFoundError";
}

/** 409: the state of a job does not allow it; `job_cancelled` when a job was waited for. */
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

/** No answer, or none of an Atelier, after all retries. */
export class ConnectionError extends AtelierError {
  override readonly name = "ConnectionError";
}

/** A downloaded file is not the one that the service promised. */
export class IntegrityError extends AtelierError {
  override readonly name = "IntegrityError";
}

const refusals = new Set(["content_policy_violation", "content_illegal", "provider_refused"]);

/** The error that an answer of the service stands for. */
export function errorOfAnswer(
  status: number,
  code: string,
  message: string,
  options: AtelierErrorOptions,
): AtelierError {
  return new (classFor(code, status))(code, message, { ...options, status });
}

/** The error that a failed job carries. */
export function errorOfJob(
  jobId: string,
  error: { readonly error: string; readonly message: string; readonly details?: unknown },
): AtelierError {
  // A job that was accepted fails by what it refers to, or else it was not the caller's fault.
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
