import { jsonText, newId, statement, type Database, type Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import { costParameter, costRecord, setCost, type CallCost } from "../claims/call-cost.ts";
import type { Claim } from "../claims/claim.ts";
import type { RecordedOutcome } from "../claims/provider-calls.ts";
import {
  announceEnd,
  endWithoutCharge,
  findEnd,
  lockUnfinished,
  lockUnfinishedIfFree,
  stopRenders,
} from "./end-generation.ts";

/**
 * Fails a generation for good: releases the hold, stops its unfinished renders and stores the error.
 * Does nothing when the generation is final.
 *
 * @param claim the claim that failed; null for recovery, which leaves a locked generation to its next
 *   round, and waits for the account's row for a second. A stale claim changes nothing.
 * @returns whether this call failed the generation.
 * @throws AccountBusyError for recovery, when the account stays locked.
 */
export async function failGeneration(
  database: Database,
  failure: {
    readonly generationId: string;
    readonly claim: Claim | null;
    readonly error: GenerationError;
    readonly callOutcome?: RecordedOutcome | null;
    readonly callCost?: CallCost | null;
  },
): Promise<boolean> {
  const { generationId, claim, error } = failure;
  // The same in every run of the transaction, which is run again when its response is lost.
  const transferId = newId();
  const end = await database.transaction(async (sql) => {
    const lock = claim === null ? lockUnfinishedIfFree : lockUnfinished;
    if (!(await lock(sql, generationId))) return findEnd(sql, transferId);
    if (claim !== null) {
      const stopped = await sql.query(
        `UPDATE render SET status = 'failed', finished_at = now(), last_error = $3
          WHERE id = $1 AND attempt = $2 AND claim_id = $4 AND status = 'running' RETURNING id`,
        [claim.renderId, claim.attempt, jsonText(error), claim.claimId],
      );
      if (stopped.length === 0) return null;
      await endCalls(sql, claim.renderId, failure.callOutcome ?? null, failure.callCost);
    }
    await stopRenders(sql, generationId, "failed");
    return endWithoutCharge(sql, generationId, { status: "failed", error, transferId });
  });
  if (end !== null) announceEnd(database, generationId, end);
  return end !== null;
}

async function endCalls(
  sql: Sql,
  renderId: string,
  outcome: RecordedOutcome | null,
  cost: CallCost | null | undefined,
): Promise<void> {
  if (outcome === null && cost == null) return;
  await sql.query(...endOpenCalls.bind({ renderId, outcome, cost: costParameter(cost) }));
}

const endOpenCalls = statement(
  ["renderId", "outcome", "cost"],
  `UPDATE provider_call
      SET outcome = :outcome, ${setCost()},
          finished_at = CASE WHEN :outcome::provider_outcome IS NOT NULL THEN now() END
     FROM ${costRecord}
    WHERE render_id = :renderId AND outcome IS NULL`,
);
