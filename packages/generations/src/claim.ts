import { newId, type Sql } from "@atelier/database";
import type { Claim, ProviderOutcome } from "./plan.ts";

/**
 * Takes a render for this worker: raises `attempt`, the number by which every later write of an
 * earlier claim is refused, and moves its generation to `processing`.
 *
 * @param lane whose job it is: one that a lane kept of a render which another lane makes now is void.
 * @returns null when there is nothing to do: it is done, failed, cancelled, not ready, or overdue.
 */
export async function claimRender(sql: Sql, renderId: string, lane: string): Promise<Claim | null> {
  const [claim] = await sql.query<Claim>(
    `WITH open AS (
       SELECT id, account_id, kind, strictness, deadline_at, status FROM generation
        WHERE id = (SELECT generation_id FROM render WHERE id = $1)
          AND status IN ('pending', 'processing') AND deadline_at > now()
          FOR NO KEY UPDATE
     ), started AS (
       UPDATE generation SET status = 'processing', started_at = now()
         FROM open WHERE generation.id = open.id AND open.status = 'pending'
     )
     UPDATE render
        SET status = 'running', attempt = attempt + 1, tries = tries + 1, claimed_at = now(),
            dispatched_at = now()
       FROM open
      WHERE render.id = $1 AND render.generation_id = open.id AND render.status IN ('ready', 'running')
        AND lane = $2
     RETURNING render.id AS "renderId", attempt, tries, generation_id AS "generationId",
               open.account_id AS "accountId", open.kind,
               open.strictness, role, position, lane, model, spec, open.deadline_at AS "deadlineAt",
               ceil(extract(epoch FROM open.deadline_at - now()) * 1000)::int AS "remainingMs"`,
    [renderId, lane],
  );
  return claim ?? null;
}

/** A call to the provider that an earlier claim made. */
export interface EarlierCall {
  readonly id: string;
  /** Which model was called; another, when the generation has changed its model since. */
  readonly model: string;
  readonly requestId: string | null;
  readonly outcome: ProviderOutcome | null;
}

/** The calls made for a render, oldest first. */
export function earlierCalls(sql: Sql, renderId: string): Promise<EarlierCall[]> {
  return sql.query(
    `SELECT id, model, request_id AS "requestId", outcome FROM provider_call
      WHERE render_id = $1 ORDER BY attempt`,
    [renderId],
  );
}

/**
 * Writes down the intent to call the provider, before the call is made, and why moderation lets it: a
 * model elsewhere may have refused the same at an earlier try that did not end with it.
 * Open calls of earlier claims are given up: what came of them stays unknown. The render is locked:
 * whoever takes it over next sees the call, or it is not made. The statement may run twice.
 *
 * @returns the id of the call; null when another worker has taken the render over.
 */
export async function recordIntent(
  sql: Sql,
  claim: Claim,
  decision: Decision,
): Promise<string | null> {
  const [call] = await sql.query<{ id: string }>(
    `WITH mine AS (
       SELECT id FROM render WHERE id = $2 AND attempt = $3 AND status = 'running' FOR UPDATE
     ), given_up AS (
       UPDATE provider_call SET outcome = 'unknown', finished_at = now()
         FROM mine WHERE render_id = mine.id AND outcome IS NULL AND provider_call.id <> $1
     ), decided AS (
       INSERT INTO moderation_decision
         (id, generation_id, render_id, moderator, strictness, allowed, prompt_hash)
       SELECT $6, $7, mine.id, $8, $9, true, $10 FROM mine
       ON CONFLICT (render_id) DO UPDATE
         SET allowed = true, category = NULL, path = NULL, moderator = excluded.moderator,
             prompt_hash = excluded.prompt_hash
         WHERE NOT moderation_decision.allowed
     )
     INSERT INTO provider_call (id, render_id, attempt, provider, model)
     SELECT $1, mine.id, $3, $4, $5 FROM mine
     ON CONFLICT (id) DO UPDATE SET attempt = excluded.attempt
     RETURNING id`,
    [
      newId(),
      claim.renderId,
      claim.attempt,
      claim.lane,
      claim.model,
      newId(),
      claim.generationId,
      decision.moderator,
      claim.strictness,
      decision.promptHash,
    ],
  );
  return call?.id ?? null;
}

/**
 * Writes down the provider's own id of a call, so that a lost answer can be asked for again.
 * A call that was given up is left as it is.
 */
export async function recordRequestId(sql: Sql, callId: string, requestId: string): Promise<void> {
  await sql.query("UPDATE provider_call SET request_id = $2 WHERE id = $1 AND outcome IS NULL", [
    callId,
    requestId,
  ]);
}

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
 * Stores that moderation refused a render; what it allows is stored with the intent to call. A model
 * elsewhere may judge otherwise than at an earlier try: what ended the render counts. A stale claim
 * changes nothing.
 */
export async function recordRefusal(
  sql: Sql,
  claim: Claim,
  decision: Decision,
  refusal: { readonly category: string; readonly path: string },
): Promise<void> {
  await sql.query(
    `INSERT INTO moderation_decision
       (id, generation_id, render_id, moderator, strictness, allowed, category, path, prompt_hash)
     SELECT $1, generation_id, id, $4, $5, false, $6, $7, $8 FROM render
      WHERE id = $2 AND attempt = $3 AND status = 'running'
     ON CONFLICT (render_id) DO UPDATE
       SET allowed = false, moderator = excluded.moderator, category = excluded.category,
           path = excluded.path, prompt_hash = excluded.prompt_hash`,
    [
      newId(),
      claim.renderId,
      claim.attempt,
      decision.moderator,
      claim.strictness,
      refusal.category,
      refusal.path,
      decision.promptHash,
    ],
  );
}

/** Where the PNG of a finished render of the same generation is stored; null when it is not. */
export async function findImageKey(
  sql: Sql,
  generationId: string,
  position: number,
): Promise<string | null> {
  const [image] = await sql.query<{ key: string }>(
    `SELECT storage_key AS key FROM render JOIN image ON render_id = render.id
      WHERE generation_id = $1 AND position = $2 AND format = 'png' AND deleted_at IS NULL`,
    [generationId, position],
  );
  return image?.key ?? null;
}

/** The provider's state after the scene before this one; null for all but later scenes of a story. */
export async function findPreviousTurn(sql: Sql, claim: Claim): Promise<unknown> {
  if (claim.role !== "scene") return null;
  const [previous] = await sql.query<{ turn: unknown }>(
    `SELECT turn FROM render WHERE generation_id = $1 AND role = 'scene' AND position < $2
      ORDER BY position DESC LIMIT 1`,
    [claim.generationId, claim.position],
  );
  return previous?.turn ?? null;
}
