import { hold } from "@atelier/billing";
import { newId, type Database, type Sql } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import { AppError, type GenerationPlan } from "@atelier/schemas";

export interface AcceptRequest {
  readonly accountId: string;
  readonly plan: GenerationPlan;
  /** What is unfinished after that long fails. */
  readonly deadlineMs: number;
  readonly maxUnfinishedJobs: number;
  /**
   * The service is behind with its work: an account that has unfinished jobs is refused, so that one
   * that has none is served still.
   */
  readonly isBehind?: boolean;
  /** The trace that it is accepted in (W3C Trace Context), where there is one. */
  readonly traceParent?: string | null;
  readonly idempotency: {
    readonly key: string;
    /** SHA-256 of what was asked for. */
    readonly requestHash: Buffer;
    /** How long the first request may wait for its answer. */
    readonly answerWithinMs: number;
  } | null;
}

/** An earlier request under the same key. */
export interface IdempotentUse {
  readonly generationId: string;
  readonly sameRequest: boolean;
  /** The first request may still be waiting for its answer. */
  readonly answerPending: boolean;
}

export type Acceptance =
  | {
      readonly kind: "accepted";
      readonly generationId: string;
      readonly ready: readonly Dispatch[];
    }
  /** The key was used before. */
  | ({ readonly kind: "replayed" } & IdempotentUse);

const idempotencyKeysKeptFor = "24 hours";

/**
 * Accepts a generation: its rows, its renders, its hold and its idempotency key in one transaction.
 * When the process dies after it, recovery dispatches what is ready.
 *
 * @throws AppError `insufficient_credit`, `too_many_jobs` or `overloaded`; nothing is stored then.
 */
export async function acceptGeneration(
  database: Database,
  request: AcceptRequest,
): Promise<Acceptance> {
  const generationId = newId();
  const { plan } = request;
  const renders = plan.renders.map((render, position) => ({ ...render, position, id: newId() }));

  return database.transaction(async (sql) => {
    const earlier = await claimIdempotencyKey(sql, request, generationId);
    if (earlier !== null && earlier.generationId !== generationId) return earlier;

    // Known ids make a second run harmless: where the first was committed, nothing is inserted.
    const inserted = await sql.query(insertGeneration, [
      generationId,
      request.accountId,
      plan.kind,
      plan.model,
      JSON.stringify(plan.request),
      plan.strictness,
      plan.title,
      plan.priceMicroEur,
      renders.length,
      plan.kind === "story" ? renders.filter(({ role }) => role === "scene").length : null,
      request.deadlineMs,
      JSON.stringify(
        renders.map(({ waitsFor, ...render }) => ({
          ...render,
          status: waitsFor.length === 0 ? "ready" : "waiting",
          waits_for: waitsFor.map((position) => renders[position]?.id),
        })),
      ),
      request.traceParent ?? null,
    ]);
    let priority = 1;
    if (inserted.length > 0) {
      const { accountId } = request;
      const [counted, held] = await Promise.allSettled([
        countUnfinished(sql, request, renders.length),
        hold(sql, { accountId, generationId, amountMicroEur: plan.priceMicroEur }),
      ]);
      if (counted.status === "rejected") throw counted.reason;
      if (held.status === "rejected") throw held.reason;
      priority = counted.value;
    }
    const ready = renders
      .filter(({ waitsFor }) => waitsFor.length === 0)
      .map(({ id, lane }) => ({ renderId: id, lane, priority }));
    return { kind: "accepted", generationId, ready };
  });
}

/** @returns the earlier use of the key; null when there was none, or no key was sent. */
async function claimIdempotencyKey(sql: Sql, request: AcceptRequest, generationId: string) {
  if (request.idempotency === null) return null;
  const { key, requestHash, answerWithinMs } = request.idempotency;
  const claimed = await sql.query(
    `INSERT INTO idempotency_key (account_id, key, request_hash, generation_id, answer_due_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 ms')
     ON CONFLICT (account_id, key) DO UPDATE
       SET request_hash = excluded.request_hash, generation_id = excluded.generation_id,
           answer_due_at = excluded.answer_due_at, created_at = now()
       WHERE idempotency_key.created_at < now() - interval '${idempotencyKeysKeptFor}'
     RETURNING key`,
    [request.accountId, key, requestHash, generationId, answerWithinMs],
  );
  if (claimed.length > 0) return null;
  const { accountId } = request;
  const earlier = await findIdempotentUse(sql, { accountId, key, requestHash });
  return earlier === null ? null : { kind: "replayed" as const, ...earlier };
}

/** What a key of an account was used for in the last 24 hours; null for nothing. */
export async function findIdempotentUse(
  sql: Sql,
  use: { readonly accountId: string; readonly key: string; readonly requestHash: Buffer },
): Promise<IdempotentUse | null> {
  const [earlier] = await sql.query<IdempotentUse>(
    `SELECT generation_id AS "generationId", request_hash = $3 AS "sameRequest",
            answer_due_at > now() AS "answerPending"
       FROM idempotency_key
      WHERE account_id = $1 AND key = $2 AND created_at >= now() - interval '${idempotencyKeysKeptFor}'`,
    [use.accountId, use.key, use.requestHash],
  );
  return earlier ?? null;
}

/** The first request under a key does not wait any more: repeated ones are answered with the job. */
export async function endIdempotentWait(
  sql: Sql,
  use: { readonly accountId: string; readonly key: string; readonly generationId: string },
): Promise<void> {
  await sql.query(
    `UPDATE idempotency_key SET answer_due_at = now()
      WHERE account_id = $1 AND key = $2 AND generation_id = $3`,
    [use.accountId, use.key, use.generationId],
  );
}

/**
 * Counts a generation as unfinished.
 *
 * @returns the queue priority of its renders: the more an account has open, the later they are served,
 *   so that ten thousand jobs of one account do not delay the first of another.
 */
async function countUnfinished(
  sql: Sql,
  { accountId, maxUnfinishedJobs, isBehind = false }: AcceptRequest,
  renders: number,
): Promise<number> {
  const [account] = await sql.query<{ jobs: number; renders: number }>(
    `UPDATE account
        SET unfinished_jobs = unfinished_jobs + 1, unfinished_renders = unfinished_renders + $2
      WHERE id = $1 RETURNING unfinished_jobs AS jobs, unfinished_renders AS renders`,
    [accountId, renders],
  );
  if (account !== undefined && account.jobs > maxUnfinishedJobs) {
    throw new AppError(
      "too_many_jobs",
      `The account has ${maxUnfinishedJobs} unfinished jobs, which is its limit. Wait until some are done, or cancel some.`,
      { details: { max_unfinished_jobs: maxUnfinishedJobs }, retryAfterMs: 5_000 },
    );
  }
  if (account !== undefined && isBehind && account.jobs > 1) throw overloaded();
  return account?.renders ?? 1;
}

const retryOverloadedAfterMs = 10_000;

/** More work than can be done in time: nothing was accepted, and nothing held. */
export function overloaded(): AppError {
  return new AppError(
    "overloaded",
    "There is more work waiting than can be done in time. Nothing was accepted or charged; send the request again after Retry-After.",
    { retryAfterMs: retryOverloadedAfterMs },
  );
}

const insertGeneration = `
  WITH accepted AS (
    INSERT INTO generation (id, account_id, kind, model, request, strictness, title,
                            price_micro_eur, renders_total, scenes_total, scenes_completed, deadline_at,
                            trace_parent)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, CASE WHEN $10::int IS NULL THEN NULL ELSE 0 END,
            now() + $11 * interval '1 ms', $13)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, dispatched_at)
  SELECT r.id, accepted.id, r.position, r.role, r.status, r.lane, r.model, r.spec, r.waits_for,
         CASE WHEN r.status = 'ready' THEN now() END
    FROM accepted, jsonb_to_recordset($12::jsonb) AS r (
      id uuid, position int, role render_role, status render_status, lane text, model text,
      spec jsonb, waits_for uuid[])
  RETURNING id`;
