import type { Sql } from "@atelier/database";
import type { Claim } from "./claim.ts";

/**
 * Marks renders as updated whose worker still works on them, so that recovery does not queue them again.
 * Claims that have ended change nothing.
 */
export async function attendRenders(
  sql: Sql,
  claims: readonly Pick<Claim, "renderId" | "claimId">[],
): Promise<void> {
  await sql.query(
    `UPDATE render SET dispatched_at = now()
       FROM unnest($1::uuid[], $2::uuid[]) AS claim (render_id, claim_id)
      WHERE render.id = claim.render_id AND render.claim_id = claim.claim_id
        AND render.status = 'running'`,
    [claims.map(({ renderId }) => renderId), claims.map(({ claimId }) => claimId)],
  );
}
