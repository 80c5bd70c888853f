import { createAccountLines, type LineLimits } from "@atelier/generations/accept";

/** Limits the statements of one account that use connections of this process at the same time. */
export interface AccountGate {
  /**
   * Runs work that may wait for a row of the account, in the order of the calls.
   *
   * @throws AppError `overloaded` when too much work of the account waits, or this work waited too long.
   */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates a gate for statements that lock the row of an account. Those of one account run one after
 * another in the database: more than a few only keep connections from other accounts.
 */
export function createAccountGate(limits: Omit<LineLimits, "maxGroup">): AccountGate {
  type Work = () => Promise<unknown>;
  const lines = createAccountLines<Work, unknown>({ ...limits, maxGroup: 1 }, (group) =>
    Promise.allSettled(group.map((work) => work())),
  );
  return {
    run: <Result>(accountId: string, work: () => Promise<Result>) =>
      lines.run(accountId, work) as Promise<Result>,
  };
}
