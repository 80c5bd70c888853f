import { bookHold, insufficientCredit, setAside } from "@atelier/billing";
import { newId, type Database, type Sql } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import { AppError, type GenerationPlan, type PlannedRender } from "@atelier/schemas";

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

/** How long a key stands for its first request: an interval of Postgres. */
export const idempotencyKeysKeptFor = "24 hours";

/** How often to try again when what refused a request is gone by the time it is looked for. */
const maxRounds = 10;

/**
 * Accepts a generation: its rows, its renders, its hold and its idempotency key, all in one
 * statement. When the process dies after it, recovery dispatches what is ready.
 *
 * @throws AppError `insufficient_credit`, `too_many_jobs` or `overloaded`; nothing is stored then.
 */
export async function acceptGeneration(
  database: Database,
  request: AcceptRequest,
): Promise<Acceptance> {
  const { accountId, plan, idempotency } = request;
  const generationId = newId();
  const renders = plan.renders.map((render, position) => ({ ...render, position, id: newId() }));
  const accepted = (priority: number): Acceptance => ({
    kind: "accepted",
    generationId,
    ready: renders
      .filter(({ waitsFor }) => waitsFor.length === 0)
      .map(({ id, lane }) => ({ renderId: id, lane, priority })),
  });
  const values = parametersOf(request, generationId, renders);
  const sql = database.repeatable;

  for (let round = 1; round <= maxRounds; round++) {
    const [account] = await insertUnlessThere(sql, values);
    if (account !== undefined) return accepted(account.unfinishedRenders);
    const earlier = idempotency && (await findIdempotentUse(sql, { accountId, ...idempotency }));
    if (earlier !== null && earlier.generationId !== generationId) {
      return { kind: "replayed", ...earlier };
    }
    // Known ids make a second run harmless: the first was committed, and only its answer lost.
    if (await isStored(sql, generationId)) return accepted(1);
    await explainRefusal(sql, request);
    // What stood in the way is gone already.
  }
  throw overloaded();
}

/**
 * @returns the account when the generation was accepted. The more renders it has open, the later
 *   they are served: ten thousand jobs of one account do not delay the first of another.
 */
async function insertUnlessThere(sql: Sql, values: readonly unknown[]) {
  try {
    return await sql.query<{ unfinishedRenders: number }>(insertGeneration, values);
  } catch (error) {
    // An earlier run, whose connection was lost, came to its end after this one had begun.
    if ((error as { constraint?: unknown }).constraint === "generation_pkey") return [];
    throw error;
  }
}

async function isStored(sql: Sql, generationId: string): Promise<boolean> {
  const rows = await sql.query("SELECT id FROM generation WHERE id = $1", [generationId]);
  return rows.length > 0;
}

/** @throws AppError that says why an account cannot have a generation now, if it cannot. */
async function explainRefusal(sql: Sql, request: AcceptRequest): Promise<void> {
  const { accountId, maxUnfinishedJobs, isBehind = false, plan } = request;
  const [account] = await sql.query<{ jobs: number; balance: bigint }>(
    "SELECT unfinished_jobs AS jobs, balance_micro_eur AS balance FROM account WHERE id = $1",
    [accountId],
  );
  if (account === undefined) throw new Error(`account ${accountId} is gone`);
  if (account.jobs >= maxUnfinishedJobs) {
    throw new AppError(
      "too_many_jobs",
      `The account has ${maxUnfinishedJobs} unfinished jobs, which is its limit. Wait until some are done, or cancel some.`,
      { details: { max_unfinished_jobs: maxUnfinishedJobs }, retryAfterMs: 5_000 },
    );
  }
  if (isBehind && account.jobs > 0) throw overloaded();
  if (account.balance < plan.priceMicroEur) {
    const { priceMicroEur: requiredMicroEur } = plan;
    throw insufficientCredit({ requiredMicroEur, balanceMicroEur: account.balance });
  }
}

/** What a key of an account was used for while it is kept; null for nothing. */
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

const retryOverloadedAfterMs = 10_000;

/** More work than can be done in time: nothing was accepted, and nothing held. */
export function overloaded(): AppError {
  return new AppError(
    "overloaded",
    "There is more work waiting than can be done in time. Nothing was accepted or charged; send the request again after Retry-After.",
    { retryAfterMs: retryOverloadedAfterMs },
  );
}

interface StoredRender extends PlannedRender {
  readonly id: string;
  readonly position: number;
}

/** What `insertGeneration` has for `$1` to `$19`, in this order. */
function parametersOf(
  request: AcceptRequest,
  generationId: string,
  renders: readonly StoredRender[],
): readonly unknown[] {
  const { accountId, plan, idempotency } = request;
  return [
    generationId,
    accountId,
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
    newId(),
    request.maxUnfinishedJobs,
    request.isBehind ?? false,
    idempotency?.key ?? null,
    idempotency?.requestHash ?? null,
    idempotency?.answerWithinMs ?? null,
  ];
}

/** The account is locked before its key is claimed: of two requests with one key, one waits here. */
const insertGeneration = `
  WITH payer AS (
    SELECT id FROM account
     WHERE id = $2 AND balance_micro_eur >= $8::bigint
       AND unfinished_jobs < $15 AND NOT ($16 AND unfinished_jobs > 0)
       AND NOT EXISTS (SELECT FROM generation WHERE id = $1)
       FOR NO KEY UPDATE
  ), claimed AS (
    INSERT INTO idempotency_key (account_id, key, request_hash, generation_id, answer_due_at)
    SELECT id, $17, $18, $1, now() + $19 * interval '1 ms' FROM payer WHERE $17::text IS NOT NULL
    ON CONFLICT (account_id, key) DO UPDATE
      SET request_hash = excluded.request_hash, generation_id = excluded.generation_id,
          answer_due_at = excluded.answer_due_at, created_at = now()
      WHERE idempotency_key.created_at < now() - interval '${idempotencyKeysKeptFor}'
    RETURNING account_id
  ), debited AS (
    UPDATE account
       SET ${setAside("$8::bigint")},
           unfinished_jobs = unfinished_jobs + 1, unfinished_renders = unfinished_renders + $9
      FROM payer
     WHERE account.id = payer.id AND ($17::text IS NULL OR EXISTS (SELECT FROM claimed))
    RETURNING account.id, unfinished_renders
  ), accepted AS (
    INSERT INTO generation (id, account_id, kind, model, request, strictness, title,
                            price_micro_eur, renders_total, scenes_total, scenes_completed, deadline_at,
                            trace_parent)
    SELECT $1, id, $3::generation_kind, $4, $5::jsonb, $6::strictness, $7, $8::bigint, $9, $10,
           CASE WHEN $10::int IS NULL THEN NULL ELSE 0 END, now() + $11 * interval '1 ms', $13
      FROM debited
    RETURNING id, account_id
  ), planned AS (
    INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, dispatched_at)
    SELECT r.id, accepted.id, r.position, r.role, r.status, r.lane, r.model, r.spec, r.waits_for,
           CASE WHEN r.status = 'ready' THEN now() END
      FROM accepted, jsonb_to_recordset($12::jsonb) AS r (
        id uuid, position int, role render_role, status render_status, lane text, model text,
        spec jsonb, waits_for uuid[])
  ), price AS (
    SELECT $14::uuid AS transfer_id, account_id, id AS generation_id, $8::bigint AS amount FROM accepted
  ), ${bookHold("price")}
  SELECT unfinished_renders AS "unfinishedRenders" FROM debited`;
