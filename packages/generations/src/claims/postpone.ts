import { jsonText, statement, type Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import { costParameter, costRecord, setCost, type CallCost } from "./call-cost.ts";
import type { Claim } from "./claim.ts";
import type { RecordedOutcome } from "./provider-calls.ts";

/**
 * Returns a render to the queue after a transient failure. The statement is safe to repeat.
 *
 * @param usedUp whether this claim counts towards the limit of attempts.
 * @returns whether the claim was still valid.
 */
export async function postponeRender(
  sql: Sql,
  claim: Claim,
  postponement: {
    readonly error: GenerationError;
    readonly usedUp: boolean;
    readonly callOutcome: RecordedOutcome | null;
    readonly callCost?: CallCost | null;
  },
): Promise<boolean> {
  const postponed = await sql.query(
    ...postpone.bind({
      renderId: claim.renderId,
      attempt: claim.attempt,
      claimId: claim.claimId,
      error: jsonText(postponement.error),
      refundedTries: postponement.usedUp ? 0 : 1,
      callOutcome: postponement.callOutcome,
      cost: costParameter(postponement.callCost),
    }),
  );
  return postponed.length > 0;
}

const postpone = statement(
  ["renderId", "attempt", "claimId", "error", "refundedTries", "callOutcome", "cost"],
  `WITH postponed AS (
       UPDATE render SET status = 'ready', last_error = :error, tries = tries - :refundedTries, dispatched_at = now()
        WHERE id = :renderId AND attempt = :attempt AND claim_id = :claimId AND status = 'running'
       RETURNING id
     ), called AS (
       UPDATE provider_call SET outcome = :callOutcome, ${setCost()},
              finished_at = CASE WHEN :callOutcome::provider_outcome IS NOT NULL THEN now() END
         FROM postponed, ${costRecord}
        WHERE render_id = postponed.id AND outcome IS NULL
          AND (:callOutcome::provider_outcome IS NOT NULL OR cost.basis IS NOT NULL)
     )
     SELECT id FROM postponed
      UNION ALL
     -- An earlier run was committed, but its response was lost.
     SELECT id FROM render WHERE id = :renderId AND attempt = :attempt AND claim_id = :claimId AND status = 'ready'`,
);
