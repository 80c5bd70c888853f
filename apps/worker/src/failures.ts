import type { RecordedOutcome } from "@atelier/generations";
import { AppError } from "@atelier/schemas";

/** Another worker has taken the render over: nothing that this one does counts any more. */
export class StaleClaim extends Error {
  override readonly name = "StaleClaim";
}

/** A try that ended without its image, or with none that may be used yet. */
export class TryFailed extends Error {
  override readonly name = "TryFailed";
  readonly error: AppError;
  /** What is recorded of the call; null leaves it open, to be resumed. */
  readonly outcome: RecordedOutcome | null;
  /** The provider asked everybody to wait that long. */
  readonly pauseLaneMs: number | null;
  /** The try does not count: no call was made, or what it gave is kept. */
  readonly givesTryBack: boolean;
  /** Whether the model's fallback may make the image: never what was refused, or perhaps made. */
  readonly fallBack: "never" | "after-tries" | "at-once";

  constructor(
    error: AppError,
    outcome: RecordedOutcome | null,
    facts: Partial<Pick<TryFailed, "pauseLaneMs" | "givesTryBack" | "fallBack">> = {},
  ) {
    super(error.message, { cause: error });
    this.error = error;
    this.outcome = outcome;
    this.pauseLaneMs = facts.pauseLaneMs ?? null;
    this.givesTryBack = facts.givesTryBack ?? false;
    this.fallBack = facts.fallBack ?? "never";
  }
}

/** A failure of the provider that may pass; the last try ends with it. */
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
