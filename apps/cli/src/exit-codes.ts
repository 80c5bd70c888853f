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

/** Exit codes of the process; each kind of error that a script would handle differently has one. */
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
  /** 128 plus the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;

/** The user pressed Ctrl-C. */
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
    // Requested help is a success.
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  if (error instanceof NotSavedError) return exitCodeOf(error.cause);
  // From the command line or a setting; no request was sent.
  if (error instanceof AtelierError && error.code === "invalid_argument") return exitCodes.usage;
  const found = codesByClass.find(([kind]) => error instanceof kind);
  return found?.[1] ?? exitCodes.failed;
}

/**
 * Advice for an error in addition to the service's message; null if none exists.
 *
 * @param programName how the program is started, such as `npm run atelier --`.
 */
export function adviceFor(error: unknown, programName: string): string | null {
  if (!(error instanceof AtelierError)) return null;
  if (error instanceof InsufficientCreditError) {
    return "The operator can add credit: npm run atelier -- accounts top-up <account-id> 10";
  }
  if (error instanceof NotAuthorizedError) {
    return "Set ATELIER_API_KEY or --key. The operator can create a key: npm run atelier -- accounts keys create <account-id>";
  }
  if (error.code === "model_not_found" || error.code === "model_not_capable") {
    return `List the models: ${programName} models`;
  }
  if (error instanceof ServiceError && error.requestId !== null) {
    return `The operator can find it in the log by the request id ${error.requestId}`;
  }
  return null;
}
