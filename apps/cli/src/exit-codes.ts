import {
  AtelierError,
  ConflictError,
  ConnectionError,
  InsufficientCreditError,
  IntegrityError,
  InvalidRequestError,
  NotAuthorizedError,
  NotFoundError,
  RateLimitError,
  RefusedError,
  ServiceError,
} from "@atelier/client";
import { ConfigError, UsageError } from "@atelier/configuration";
import { CommanderError } from "commander";
import { NotSavedError } from "./calls/not-saved-error.ts";

/** What the process ends with: one number for each kind of thing that a script would do about it. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notAuthorized: 3,
  insufficientCredit: 4,
  invalidRequest: 5,
  refused: 6,
  rateLimited: 7,
  service: 8,
  unverified: 9,
  /** 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;

/** Somebody pressed Ctrl-C. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

const codesByClass = [
  [UsageError, exitCodes.usage],
  [ConfigError, exitCodes.usage],
  [InterruptedError, exitCodes.interrupted],
  [NotAuthorizedError, exitCodes.notAuthorized],
  [InsufficientCreditError, exitCodes.insufficientCredit],
  [InvalidRequestError, exitCodes.invalidRequest],
  [NotFoundError, exitCodes.invalidRequest],
  [ConflictError, exitCodes.invalidRequest],
  [RefusedError, exitCodes.refused],
  [RateLimitError, exitCodes.rateLimited],
  [ServiceError, exitCodes.service],
  [ConnectionError, exitCodes.service],
  [IntegrityError, exitCodes.unverified],
] as const;

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help that was asked for ends with 0.
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  if (error instanceof NotSavedError) return exitCodeOf(error.cause);
  // It came from the command line or a setting, and was not sent.
  if (error instanceof AtelierError && error.code === "invalid_argument") return exitCodes.usage;
  const found = codesByClass.find(([kind]) => error instanceof kind);
  return found?.[1] ?? exitCodes.failed;
}

/** What a person may do about a failure, beyond what the service says itself; null when nothing. */
export function adviceFor(error: unknown): string | null {
  if (!(error instanceof AtelierError)) return null;
  if (error instanceof InsufficientCreditError) {
    return "The operator adds credit: npm run atelier -- accounts top-up <account-id> 10";
  }
  if (error instanceof NotAuthorizedError) {
    return "Set ATELIER_API_KEY or --key; the operator makes keys: npm run atelier -- keys create <account-id>";
  }
  if (error.code === "model_not_found" || error.code === "model_not_capable") {
    return "See what there is: npm run atelier -- models";
  }
  if (error instanceof ServiceError && error.requestId !== null) {
    return `The operator finds it in the log by request id ${error.requestId}`;
  }
  return null;
}
