import { newId, type Sql } from "@atelier/database";
import type { Claim } from "./plan.ts";

/**
 * Stores that moderation refused an image that was made. It takes the place of the decision that its
 * texts were allowed: there is one decision for a render, and this is it.
 */
export async function recordImageRefusal(
  sql: Sql,
  claim: Claim,
  refusal: { readonly moderator: string; readonly category: string; readonly path: string },
): Promise<void> {
  await sql.query(
    `INSERT INTO moderation_decision
       (id, generation_id, render_id, moderator, strictness, allowed, category, path, prompt_hash)
     VALUES ($1, $2, $3, $4, $5, false, $6, $7, '')
     ON CONFLICT (render_id) DO UPDATE
       SET allowed = false, moderator = excluded.moderator, category = excluded.category,
           path = excluded.path`,
    [
      newId(),
      claim.generationId,
      claim.renderId,
      refusal.moderator,
      claim.strictness,
      refusal.category,
      refusal.path,
    ],
  );
}
