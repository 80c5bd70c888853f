import type { Database, Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import { giveUp, lockUnfinished, stopRenders } from "./end-generation.ts";
import type { Claim } from "./claim.ts";
import type { RecordedOutcome } from "./provider-calls.ts";

/**
 * Fails a generation for good: the hold is released, what was not started is not made, the error is
 * kept. Does nothing to a final one.
 *
 * @param claim the claim on whose behalf it fails; null for recovery. A stale claim changes nothing.
 * @returns whether it was failed now.
 */
export function failGeneration(
  database: Database,
  failure: {
    readonly generationId: string;
    readonly claim: Claim | null;
    readonly error: GenerationError;
    readonly callOutcome?: RecordedOutcome | null;
  },
): Promise<boolean> {
  const { generationId, claim, error } = failure;
  // If the COMMIT of a run was carried out and only its answer lost, the next run finds it failed.
  let failedBefore = false;
  return database.transaction(async (sql) => {
    if (!(await lockUnfinished(sql, generationId))) return failedBefore;
    if (claim !== null) {
      const failed = await sql.query(
        `UPDATE render SET status = 'failed', finished_at = now(), last_error = $3
          WHERE id = $1 AND attempt = $2 AND status = 'running' RETURNING id`,
        [claim.renderId, claim.attempt, JSON.stringify(error)],
      );
      if (failed.length === 0) return false;
      await endCalls(sql, claim.renderId, failure.callOutcome ?? null);
    }
    await stopRenders(sql, generationId, "failed");
    await giveUp(sql, generationId, { status: "failed", error });
    failedBefore = true;
    return true;
  });
}

async function endCalls(
  sql: Sql,
  renderId: string,
  outcome: RecordedOutcome | null,
): Promise<void> {
  if (outcome === null) return;
  await sql.query(
    "UPDATE provider_call SET outcome = $2, finished_at = now() WHERE render_id = $1 AND outcome IS NULL",
    [renderId, outcome],
  );
}
