import { newId, type Sql } from "@atelier/database";
import type { Claim } from "./plan.ts";

/** What moderation decided, and on what: a keyed hash of the texts, never the texts. */
export interface Decision {
  readonly moderator: string;
  readonly promptHash: Buffer;
}

/** Whether the same texts of a render were allowed at an earlier try, by the same moderator. */
export async function wasAllowed(
  sql: Sql,
  { renderId }: Claim,
  { moderator, promptHash }: Decision,
): Promise<boolean> {
  const allowed = await sql.query(
    `SELECT id FROM moderation_decision
      WHERE render_id = $1 AND moderator = $2 AND prompt_hash = $3 AND allowed`,
    [renderId, moderator, promptHash],
  );
  return allowed.length > 0;
}

interface Refusal {
  readonly moderator: string;
  readonly category: string;
  readonly path: string;
}

/**
 * Stores that moderation refused a render; what it allows is stored with the intent to call. A model
 * elsewhere may judge otherwise than at an earlier try: what ended the render counts. A stale claim
 * changes nothing.
 */
export function recordRefusal(
  sql: Sql,
  claim: Claim,
  { moderator, promptHash }: Decision,
  { category, path }: Pick<Refusal, "category" | "path">,
): Promise<void> {
  return storeRefusal(sql, claim, { moderator, category, path }, promptHash);
}

/**
 * Stores that moderation refused an image that was made. It takes the place of the decision that its
 * texts were allowed: there is one decision for a render, and this is it. A stale claim changes
 * nothing: the image of its successor may have been allowed.
 */
export function recordImageRefusal(sql: Sql, claim: Claim, refusal: Refusal): Promise<void> {
  return storeRefusal(sql, claim, refusal, null);
}

/** @param promptHash null where no text was judged: that of the decision before stays. */
async function storeRefusal(
  sql: Sql,
  claim: Claim,
  { moderator, category, path }: Refusal,
  promptHash: Buffer | null,
): Promise<void> {
  await sql.query(
    `INSERT INTO moderation_decision AS known
       (id, generation_id, render_id, moderator, strictness, allowed, category, path, prompt_hash)
     SELECT $1, generation_id, id, $4, $5, false, $6, $7, coalesce($8::bytea, '') FROM render
      WHERE id = $2 AND attempt = $3 AND status = 'running'
     ON CONFLICT (render_id) DO UPDATE
       SET allowed = false, moderator = excluded.moderator, category = excluded.category,
           path = excluded.path, prompt_hash = coalesce($8, known.prompt_hash)`,
    [
      newId(),
      claim.renderId,
      claim.attempt,
      moderator,
      claim.strictness,
      category,
      path,
      promptHash,
    ],
  );
}
