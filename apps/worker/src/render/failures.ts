import type { RecordedOutcome } from "@atelier/generations/claims";
import { AppError } from "@atelier/schemas";

/** Another worker has claimed the render; the writes of this one are refused. */
export class StaleClaim extends Error {
  override readonly name = "StaleClaim";
}

/** An attempt that ended without a usable image. */
export class TryFailed extends Error {
  override readonly name = "TryFailed";
  readonly error: AppError;
  /** The outcome to record for the call; null keeps the call open so that it can be resumed. */
  readonly outcome: RecordedOutcome | null;
  /** Requested pause of the whole lane, in milliseconds. */
  readonly pauseLaneMs: number | null;
  /** The attempt does not count: no call was made, or its result is kept. */
  readonly isUncounted: boolean;
  /** Whether the model's fallback may be used. Never after a refusal or a possibly paid image. */
  readonly fallBack: "never" | "after-tries" | "at-once";

  constructor(
    error: AppError,
    outcome: RecordedOutcome | null,
    facts: Partial<Pick<TryFailed, "pauseLaneMs" | "isUncounted" | "fallBack">> = {},
  ) {
    super(error.message, { cause: error });
    this.error = error;
    this.outcome = outcome;
    this.pauseLaneMs = facts.pauseLaneMs ?? null;
    this.isUncounted = facts.isUncounted ?? false;
    this.fallBack = facts.fallBack ?? "never";
  }
}

/**
 * Creates a transient provider failure; when the last attempt fails with it, so does the generation.
 */
export function providerFailure(
  message: string,
  retryAfterMs: number | null,
  cause?: Error,
): AppError {
  return new AppError("provider_error", `${message} Nothing was charged; please try again later.`, {
    retryable: true,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Creates the transient failure of work that this machine gave too little CPU time. */
export function machineBusy(cause: Error): AppError {
  const message = "The service is overloaded. Nothing was charged; please try again later.";
  return new AppError("overloaded", message, { retryable: true, cause });
}
