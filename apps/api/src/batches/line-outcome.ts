import { LineTakenError } from "@atelier/generations/batches";
import { AppError, type GenerationError } from "@atelier/schemas";

/** The consequence of the error of a line. */
export type LineOutcome =
  /** The line is refused; the next one follows. */
  | { readonly kind: "refused"; readonly error: GenerationError }
  /** The line is tried again; `isShown` says whether the batch shows the reason. */
  | {
      readonly kind: "waits";
      readonly error: GenerationError;
      readonly pauseMs: number;
      readonly isShown: boolean;
    }
  /** The batch ends: no further line can be accepted. */
  | { readonly kind: "stopped"; readonly error: GenerationError }
  /** Another process works on the batch, or it takes no further line. */
  | { readonly kind: "lost" };

/** Causes that pass: credit and budgets may be topped up, and load ends. */
const passing: ReadonlySet<string> = new Set([
  "insufficient_credit",
  "key_budget_exhausted",
  "budget_exhausted",
  "too_many_jobs",
  "rate_limited",
  "idempotency_in_progress",
]);

/** Limits that a batch reaches all the time. */
const usual: ReadonlySet<string> = new Set(["too_many_jobs", "rate_limited"]);

/** Causes that end the batch: the key or the account has ended. */
const ending: ReadonlySet<string> = new Set(["unauthorized", "account_suspended"]);

const usualPauseMs = 500;
const longPauseMs = 2_000;

/** A line that fails with an unknown error for this long is refused, so that the others go on. */
const maxUnknownMs = 600_000;

/**
 * Decides what follows from the error of a line.
 *
 * @param waitedMs how long the line has waited.
 */
export function outcomeOfError(thrown: unknown, waitedMs: number): LineOutcome {
  if (thrown instanceof LineTakenError) return { kind: "lost" };
  const known =
    thrown instanceof AppError
      ? thrown
      : new AppError("internal_error", "The line could not be accepted.", { cause: thrown });
  const error = { error: known.code, message: known.message, details: known.details };
  if (ending.has(known.code)) return { kind: "stopped", error };
  const isUnknown = known.code === "internal_error";
  if (isUnknown && waitedMs >= maxUnknownMs) return { kind: "refused", error };
  if (known.status < 500 && !passing.has(known.code)) return { kind: "refused", error };
  const isShown = !usual.has(known.code);
  return { kind: "waits", error, isShown, pauseMs: isShown ? longPauseMs : usualPauseMs };
}
