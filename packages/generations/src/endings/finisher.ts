import type { BoundStatement, Database } from "@atelier/database";
import { createAccountLines } from "../accept/account-lines.ts";
import type { Claim } from "../claims/claim.ts";
import { runTogether } from "../jobs/together.ts";
import {
  endAlone,
  finishRender,
  type Ended,
  type FinishResult,
  type RenderEnd,
  type RenderMark,
  type StoredImage,
} from "./finish.ts";

/** Finishes renders. */
export interface Finisher {
  /** Like `finishRender`. */
  finish(
    claim: Claim,
    images: readonly StoredImage[],
    answer: Parameters<typeof finishRender>[3],
    mark: RenderMark | null,
  ): Promise<FinishResult>;
}

/** Renders that one transaction finishes. The account is locked for about a millisecond for each. */
const maxGroup = 16;

/**
 * Creates the finisher of a process. Finishes of an account that wait for an earlier one share the next
 * transaction: each has the same effect as alone, and all wait for one commit.
 */
export function createFinisher(database: Database): Finisher {
  const lines = createAccountLines<RenderEnd, Ended | undefined>(
    { maxRunning: 1, maxGroup, maxWaiting: Infinity, maxWaitMs: null },
    (ends) =>
      runTogether(database, ends, {
        first: lockGenerations(ends),
        alone: (end) => endAlone(database, end),
      }),
  );
  return {
    finish: (claim, images, answer, mark) =>
      finishRender(database, claim, images, answer, mark, (end) => lines.run(claim.accountId, end)),
  };
}

/**
 * Locks the generations of a group before the first of them locks the account: other transactions lock a
 * generation first.
 */
function lockGenerations(ends: readonly RenderEnd[]): BoundStatement {
  return [
    `SELECT id FROM generation WHERE id = ANY ($1) AND status IN ('pending', 'processing')
      ORDER BY id FOR NO KEY UPDATE`,
    [ends.map(({ claim }) => claim.generationId)],
  ];
}
