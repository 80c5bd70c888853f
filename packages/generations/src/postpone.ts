import type { Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import type { Claim } from "./claim.ts";
import type { RecordedOutcome } from "./provider-calls.ts";

/**
 * Gives a render back to the queue after a failure that may pass. The statement may run twice.
 *
 * @param usedUp whether this claim counts against the limit of tries.
 * @returns whether the claim was still valid.
 */
export async function postponeRender(
  sql: Sql,
  claim: Claim,
  postponement: {
    readonly error: GenerationError;
    readonly usedUp: boolean;
    readonly callOutcome: RecordedOutcome | null;
  },
): Promise<boolean> {
  const postponed = await sql.query(
    `WITH postponed AS (
       UPDATE render SET status = 'ready', last_error = $3, tries = tries - $4, dispatched_at = now()
        WHERE id = $1 AND attempt = $2 AND status = 'running'
       RETURNING id
     ), called AS (
       UPDATE provider_call SET outcome = $5, finished_at = now()
         FROM postponed WHERE render_id = postponed.id AND outcome IS NULL AND $5::provider_outcome IS NOT NULL
     )
     SELECT id FROM postponed
      UNION ALL
     -- A first run was committed although its answer was lost.
     SELECT id FROM render WHERE id = $1 AND attempt = $2 AND status = 'ready'`,
    [
      claim.renderId,
      claim.attempt,
      JSON.stringify(postponement.error),
      postponement.usedUp ? 0 : 1,
      postponement.callOutcome,
    ],
  );
  return postponed.length > 0;
}
