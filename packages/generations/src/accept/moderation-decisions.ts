import { newId, statement, type Sql } from "@atelier/database";
import type { RenderSpec, Strictness } from "@atelier/schemas";
import type { Claim } from "../claims/claim.ts";

/** A moderation decision with a keyed hash of the judged texts, never the texts themselves. */
export interface Decision {
  readonly moderator: string;
  readonly promptHash: Buffer;
}

/**
 * Whether the same moderator allowed the same texts of a render before, at an earlier attempt or
 * together with those of another render of its generation.
 */
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
 * Whether an earlier attempt of a render had its texts allowed by the same moderator, and then the
 * images that the client sent: the intent to call the provider follows both.
 */
export async function wereInputsAllowed(
  sql: Sql,
  claim: Claim,
  decision: Decision,
): Promise<boolean> {
  if (!(await wasAllowed(sql, claim, decision))) return false;
  const calls = await sql.query("SELECT id FROM provider_call WHERE render_id = $1 LIMIT 1", [
    claim.renderId,
  ]);
  return calls.length > 0;
}

/** The renders of a generation with what they are made from, in the order of the plan. */
export function listSpecs(
  sql: Sql,
  generationId: string,
): Promise<{ readonly renderId: string; readonly spec: RenderSpec }[]> {
  return sql.query(
    `SELECT id AS "renderId", spec FROM render WHERE generation_id = $1 ORDER BY position`,
    [generationId],
  );
}

/**
 * Stores that moderation allowed all renders of a generation. A stored refusal of a render is kept, and
 * only its next attempt replaces it. The statement is safe to repeat.
 */
export async function recordApprovals(
  sql: Sql,
  approved: {
    readonly generationId: string;
    readonly strictness: Strictness;
    readonly moderator: string;
    readonly approvals: readonly { readonly renderId: string; readonly promptHash: Buffer }[];
  },
): Promise<void> {
  const { approvals, ...common } = approved;
  const decisions = approvals.map(({ renderId, promptHash }) => ({
    id: newId(),
    render_id: renderId,
    hash: promptHash.toString("hex"),
  }));
  await sql.query(...insertApprovals.bind({ ...common, decisions: JSON.stringify(decisions) }));
}

const insertApprovals = statement(
  ["generationId", "strictness", "moderator", "decisions"],
  `INSERT INTO moderation_decision AS known
       (id, generation_id, render_id, moderator, strictness, allowed, prompt_hash)
     SELECT id, :generationId, render_id, :moderator, :strictness, true, decode(hash, 'hex')
       FROM jsonb_to_recordset(:decisions::jsonb) AS decision (id uuid, render_id uuid, hash text)
     ON CONFLICT (render_id) DO UPDATE
       SET moderator = excluded.moderator, prompt_hash = excluded.prompt_hash
       WHERE known.allowed`,
);

/**
 * Stores that moderation refused a render; its approval is stored before or with the intent to call. Each
 * render has one decision, and this one replaces an earlier one: a remote model may decide differently on a
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
  const { renderId, attempt, claimId, strictness } = claim;
  await sql.query(
    ...upsertRefusal.bind({ id: newId(), renderId, attempt, claimId, strictness, ...refusal }),
  );
}

const upsertRefusal = statement(
  [
    "id",
    "renderId",
    "attempt",
    "claimId",
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
      WHERE id = :renderId AND attempt = :attempt AND claim_id = :claimId AND status = 'running'
     ON CONFLICT (render_id) DO UPDATE
       SET allowed = false, moderator = excluded.moderator, category = excluded.category,
           path = excluded.path, certainty = excluded.certainty, prompt_hash = coalesce(:promptHash, known.prompt_hash)`,
);
