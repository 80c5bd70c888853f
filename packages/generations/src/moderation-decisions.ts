import { newId, type Sql } from "@atelier/database";
import type { Claim } from "./claim.ts";

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

/**
 * Stores that moderation refused a render; what it allows is stored with the intent to call. There is
 * one decision for a render, and this one takes the place of an earlier one: a model elsewhere may
 * judge otherwise than at an earlier try, and an image otherwise than the texts that it is made of. A
 * stale claim changes nothing: its successor may have been allowed. The statement may run twice.
 *
 * @param refusal.promptHash null where an image was judged: that of its texts stays.
 */
export async function recordRefusal(
  sql: Sql,
  claim: Claim,
  refusal: {
    readonly moderator: string;
    readonly promptHash: Buffer | null;
    readonly category: string;
    readonly path: string;
  },
): Promise<void> {
  const { moderator, promptHash, category, path } = refusal;
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
