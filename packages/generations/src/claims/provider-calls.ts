import { isStorable, newId, statement, type Sql } from "@atelier/database";
import type { Decision } from "../accept/moderation-decisions.ts";
import { costParameter, costRecord, setCost, type CallCost } from "./call-cost.ts";
import type { Claim } from "./claim.ts";

/** Stored outcome of a provider call. */
export type RecordedOutcome =
  | "image"
  | "refused"
  | "rate_limited"
  | "out_of_quota"
  | "invalid_request"
  | "unavailable"
  | "unknown"
  /** This service stopped waiting. The call may have been paid for, and is neither resumed nor repeated. */
  | "timed_out";

/** A provider call of an earlier claim. */
export interface EarlierCall {
  readonly id: string;
  /** The called model; differs from the current one after a fallback. */
  readonly model: string;
  readonly requestId: string | null;
  /** URL of the called server, for a provider with several. */
  readonly server: string | null;
  readonly outcome: RecordedOutcome | null;
  /** Units that the vendor stated when it accepted the call. */
  readonly units: Readonly<Record<string, number>> | null;
  /** Cost that the vendor stated then; null if it stated none. */
  readonly reportedCost: { readonly micro: bigint; readonly currency: string } | null;
}

/** The calls made for a render, oldest first. */
export async function earlierCalls(sql: Sql, renderId: string): Promise<EarlierCall[]> {
  const calls = await sql.query<
    Omit<EarlierCall, "reportedCost"> & { micro: bigint | null; currency: string | null }
  >(
    `SELECT id, model, request_id AS "requestId", server, outcome, units,
            CASE WHEN cost_basis = 'reported' THEN cost_micro END AS micro, cost_currency AS currency
       FROM provider_call
      WHERE render_id = $1 ORDER BY attempt`,
    [renderId],
  );
  return calls.map(({ currency, micro, ...call }) => ({
    ...call,
    reportedCost: micro === null || currency === null ? null : { micro, currency },
  }));
}

/**
 * Records the intent to call the provider before the call is made, together with the moderation
 * approval, which replaces a refusal at an earlier attempt that did not end the render. Closes open
 * calls of earlier claims with the outcome `unknown`. Locks the render, so that the next claim sees
 * the call, or the call is not made. The statement is safe to repeat.
 *
 * @param server URL of the server to call, for a provider with several.
 * @returns the id of the call; null when another worker has claimed the render.
 */
export async function recordIntent(
  sql: Sql,
  claim: Claim,
  decision: Decision,
  server: string | null = null,
): Promise<string | null> {
  const { renderId, attempt, claimId, lane, model, generationId, strictness } = claim;
  const [call] = await sql.query<{ id: string }>(
    ...insertIntent.bind({
      callId: newId(),
      renderId,
      attempt,
      claimId,
      lane,
      model,
      decisionId: newId(),
      generationId,
      moderator: decision.moderator,
      strictness,
      promptHash: decision.promptHash,
      server,
    }),
  );
  return call?.id ?? null;
}

const insertIntent = statement(
  [
    "callId",
    "renderId",
    "attempt",
    "claimId",
    "lane",
    "model",
    "decisionId",
    "generationId",
    "moderator",
    "strictness",
    "promptHash",
    "server",
  ],
  `WITH mine AS (
       SELECT id FROM render WHERE id = :renderId AND attempt = :attempt AND claim_id = :claimId AND status = 'running'
          FOR UPDATE
     ), given_up AS (
       UPDATE provider_call SET outcome = 'unknown', finished_at = now()
         FROM mine WHERE render_id = mine.id AND outcome IS NULL AND provider_call.id <> :callId
     ), decided AS (
       INSERT INTO moderation_decision
         (id, generation_id, render_id, moderator, strictness, allowed, prompt_hash)
       SELECT :decisionId, :generationId, mine.id, :moderator, :strictness, true, :promptHash FROM mine
       ON CONFLICT (render_id) DO UPDATE
         SET allowed = true, category = NULL, path = NULL, certainty = NULL,
             moderator = excluded.moderator, prompt_hash = excluded.prompt_hash
         WHERE NOT moderation_decision.allowed
     )
     INSERT INTO provider_call (id, render_id, attempt, provider, model, server)
     SELECT :callId, mine.id, :attempt, :lane, :model, :server FROM mine
     ON CONFLICT (id) DO UPDATE SET attempt = excluded.attempt
     RETURNING id`,
);

/**
 * Records the provider's request id of a call, so that a lost response can be requested again. Does
 * not change a closed call. An id that Postgres does not store is ignored, as if there were none.
 *
 * @param cost that the vendor stated when it accepted the call: it is charged whatever comes of the call.
 * @returns whether the id is recorded.
 */
export async function recordRequestId(
  sql: Sql,
  callId: string,
  requestId: string,
  cost: CallCost | null = null,
): Promise<boolean> {
  if (!isStorable(requestId)) return false;
  const recorded = await sql.query(
    ...setRequestId.bind({ callId, requestId, cost: costParameter(cost) }),
  );
  return recorded.length > 0;
}

const setRequestId = statement(
  ["callId", "requestId", "cost"],
  `UPDATE provider_call SET request_id = :requestId, ${setCost()}
     FROM ${costRecord}
    WHERE id = :callId AND outcome IS NULL
   RETURNING id`,
);

/** Reads the usage of the calls that made the images of a generation, in the order of the images; null if unknown. */
export async function listUnits(
  sql: Sql,
  generationId: string,
): Promise<readonly (Readonly<Record<string, number>> | null)[]> {
  const calls = await sql.query<{ units: Readonly<Record<string, number>> | null }>(
    `SELECT (SELECT units FROM provider_call WHERE render_id = render.id AND outcome = 'image'
              ORDER BY attempt DESC LIMIT 1) AS units
       FROM render WHERE generation_id = $1 ORDER BY position`,
    [generationId],
  );
  return calls.map(({ units }) => units);
}
