import { errorCodes, type adminErrors, type ErrorDetails } from "./error-codes.ts";
import { resources, type ResourceName } from "./resources.ts";

/** The HTTP status of each error code. */
export const errorStatus = Object.fromEntries(
  Object.entries(errorCodes).map(([code, { status }]) => [code, status]),
) as { readonly [Code in keyof typeof errorCodes]: (typeof errorCodes)[Code]["status"] };

export type ErrorCode = keyof typeof errorCodes;

/** Error codes of the admin port only. */
export type AdminError = keyof typeof adminErrors;

/** Error codes of API operations, without those of unknown paths and signed image URLs. */
export type OperationError = Exclude<
  ErrorCode,
  "not_found" | "url_expired" | "url_invalid" | AdminError
>;

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

/** The error for an id that no item of a resource has. */
export function itemNotFound(resource: ResourceName): AppError {
  const code = `${resources[resource].singular}_not_found` as const;
  return new AppError(code, errorCodes[code].message);
}
