import { newId, type Sql } from "@atelier/database";
import type { Decision } from "./moderation-decisions.ts";
import type { Claim } from "./claim.ts";

/** What came of a call to a provider, as it is stored. */
export type RecordedOutcome =
  | "image"
  | "refused"
  | "rate_limited"
  | "out_of_quota"
  | "invalid_request"
  | "unavailable"
  | "unknown";

/** A call to the provider that an earlier claim made. */
export interface EarlierCall {
  readonly id: string;
  /** Which model was called; another, when the generation has fallen back since. */
  readonly model: string;
  readonly requestId: string | null;
  readonly outcome: RecordedOutcome | null;
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
