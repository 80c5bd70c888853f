import { createAccountLines, type LineLimits } from "@atelier/generations/accept";
import { AppError } from "@atelier/schemas";

/** Limits the work of one account that uses connections of this process at the same time. */
export interface AccountGate {
  /**
   * Runs work of an account, in the order of the calls.
   *
   * @throws AppError when too much work of the account waits, or this work waited too long.
   */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates a gate for statements that lock the row of an account. Those of one account run one after
 * another in the database: more than a few only keep connections from other accounts.
 *
 * @param refusal the error for too much work. Default: `overloaded`.
 */
export function createAccountGate(
  limits: Omit<LineLimits, "maxGroup">,
  refusal?: () => AppError,
): AccountGate {
  type Work = () => Promise<unknown>;
  const lines = createAccountLines<Work, unknown>(
    { ...limits, maxGroup: 1 },
    (group) => Promise.allSettled(group.map((work) => work())),
    refusal,
  );
  return {
    run: <Result>(accountId: string, work: () => Promise<Result>) =>
      lines.run(accountId, work) as Promise<Result>,
  };
}

/**
 * Creates a gate for requests that read large amounts of data, so that one account uses at most one
 * database connection of this process for them. Its error is `rate_limited`.
 *
 * @param maxWaiting requests of one account that may wait, besides the running one.
 */
export function createAccountMutex(maxWaiting: number): AccountGate {
  return createAccountGate({ maxRunning: 1, maxWaiting, maxWaitMs: null }, tooManyReads);
}

function tooManyReads(): AppError {
  return new AppError(
    "rate_limited",
    "Too many requests of this account read large amounts of data at once. Wait for their responses, then send this one again.",
    { retryAfterMs: 1_000 },
  );
}
