import type { Database } from "@atelier/database";
import { acceptGeneration, insertAlone, type Acceptance } from "./accept.ts";
import { lockBefore } from "./insert-generation.ts";
import { type NewGeneration, type Insert, type Inserted } from "./new-generation.ts";
import { createAccountLines, type LineLimits } from "./account-lines.ts";
import { runTogether } from "../jobs/together.ts";

/** Accepts generations. */
export interface Acceptor {
  /** Like `acceptGeneration`; also throws `overloaded` when too many requests of the account wait. */
  accept(request: NewGeneration): Promise<Acceptance>;
}

/** Generations that one transaction accepts. The account is locked for about a millisecond for each. */
const maxGroup = 16;

/**
 * Creates the acceptor of a process. Requests of an account that wait for an earlier one share the next
 * transaction, which runs their statements in the order of the requests: each is accepted or refused as it
 * would be alone, and all wait for one commit.
 */
export function createAcceptor(
  database: Database,
  limits: Pick<LineLimits, "maxWaiting" | "maxWaitMs">,
): Acceptor {
  const lines = createAccountLines<Insert, Inserted | undefined>(
    { ...limits, maxRunning: 1, maxGroup },
    (inserts) =>
      runTogether(database, inserts, {
        first: lockBefore(inserts),
        alone: (insert) => insertAlone(database, insert),
      }),
  );
  return {
    accept: (request) =>
      acceptGeneration(database, request, (insert) => lines.run(request.accountId, insert)),
  };
}
