import { newId, statement, type Sql } from "@atelier/database";
import type { Claim } from "./claim.ts";

/** A moderation decision with a keyed hash of the judged texts, never the texts themselves. */
export interface Decision {
  readonly moderator: string;
  readonly promptHash: Buffer;
}

/** Whether an earlier attempt of a render had the same texts allowed by the same moderator. */
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
 * Stores that moderation refused a render; an approval is stored with the intent to call. Each render
 * has one decision, and this one replaces an earlier one: a remote model may decide differently on a
 * later attempt, or on the image instead of its texts. A stale claim changes nothing, since the next
 * claim may have been allowed. The statement is safe to repeat.
 *
 * @param refusal.promptHash null when an image was judged; the hash of its texts is kept.
 */
export async function recordRefusal(
  sql: Sql,
  claim: Claim,
  refusal: {
    readonly moderator: string;
    readonly promptHash: Buffer | null;
    readonly category: string;
    readonly path: string;
    readonly certainty: "certain" | "uncertain";
  },
): Promise<void> {
  const { renderId, attempt, strictness } = claim;
  await sql.query(
    ...upsertRefusal.bind({ id: newId(), renderId, attempt, strictness, ...refusal }),
  );
}

const upsertRefusal = statement(
  [
    "id",
    "renderId",
    "attempt",
    "moderator",
    "strictness",
    "category",
    "path",
    "certainty",
    "promptHash",
  ],
  `INSERT INTO moderation_decision AS known
       (id, generation_id, render_id, moderator, strictness, allowed, category, path, certainty, prompt_hash)
     SELECT :id, generation_id, id, :moderator, :strictness, false, :category, :path, :certainty, coalesce(:promptHash::bytea, '') FROM render
      WHERE id = :renderId AND attempt = :attempt AND status = 'running'
     ON CONFLICT (render_id) DO UPDATE
       SET allowed = false, moderator = excluded.moderator, category = excluded.category,
           path = excluded.path, certainty = excluded.certainty, prompt_hash = coalesce(:promptHash, known.prompt_hash)`,
);
