import { newId, type Sql } from "@atelier/database";
import type { Claim } from "./plan.ts";

/**
 * Stores that moderation refused an image that was made. It takes the place of the decision that its
 * texts were allowed: there is one decision for a render, and this is it. A stale claim changes
 * nothing: the image of its successor may have been allowed.
 */
export async function recordImageRefusal(
  sql: Sql,
  claim: Claim,
  refusal: { readonly moderator: string; readonly category: string; readonly path: string },
): Promise<void> {
  await sql.query(
    `INSERT INTO moderation_decision
       (id, generation_id, render_id, moderator, strictness, allowed, category, path, prompt_hash)
     SELECT $1, generation_id, id, $4, $5, false, $6, $7, '' FROM render
      WHERE id = $2 AND attempt = $3 AND status = 'running'
     ON CONFLICT (render_id) DO UPDATE
       SET allowed = false, moderator = excluded.moderator, category = excluded.category,
           path = excluded.path`,
    [
      newId(),
      claim.renderId,
      claim.attempt,
      refusal.moderator,
      claim.strictness,
      refusal.category,
      refusal.path,
    ],
  );
}
