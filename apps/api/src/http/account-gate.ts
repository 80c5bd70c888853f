import { createAccountLines, type LineLimits } from "@atelier/generations";

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
  const lines = createAccountLines<() => Promise<void>, void>({ ...limits, maxGroup: 1 }, (group) =>
    Promise.allSettled(group.map((work) => work())),
  );
  return {
    async run<Result>(accountId: string, work: () => Promise<Result>) {
      let result: { readonly value: Result } | undefined;
      await lines.run(accountId, async () => {
        result = { value: await work() };
      });
      if (result === undefined) throw new Error("the work did not run");
      return result.value;
    },
  };
}
