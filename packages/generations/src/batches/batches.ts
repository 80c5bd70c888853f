import { statement, type Sql } from "@atelier/database";
import {
  AppError,
  quotas,
  type BatchStatus,
  type GenerationError,
  type KeyMode,
} from "@atelier/schemas";
import type { RequestWebhook } from "../accept/new-generation.ts";
import type { Owner } from "../jobs/find.ts";

/** Many requests that are accepted in the background. */
export interface Batch {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  /** That of its key. */
  readonly mode: KeyMode;
  readonly status: BatchStatus;
  readonly linesTotal: number;
  /** Lines that were accepted or refused. */
  readonly linesTaken: number;
  readonly linesRefused: number;
  readonly jobsCompleted: number;
  readonly jobsFailed: number;
  readonly jobsCancelled: number;
  readonly chargedMicroEur: bigint;
  /** Why the next line is not accepted yet. */
  readonly waitsFor: GenerationError | null;
  /** Why no further line is accepted. */
  readonly error: GenerationError | null;
  /** Where its event is sent; null for no URL of its own. */
  readonly webhookUrl: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly completedAt: Date | null;
}

/** SQL of the mode of a batch: its row has none when an earlier version created it. */
const modeOfBatch =
  "coalesce(batch.mode, (SELECT api_key.mode FROM api_key WHERE api_key.id = batch.key_id))";

/** SQL columns of a `Batch`. */
export const batchColumns = `
  batch.id, batch.account_id AS "accountId", batch.key_id AS "keyId", ${modeOfBatch} AS mode, batch.status,
  lines_total AS "linesTotal", lines_taken AS "linesTaken", lines_refused AS "linesRefused",
  jobs_completed AS "jobsCompleted", jobs_failed AS "jobsFailed", jobs_cancelled AS "jobsCancelled",
  charged_micro_eur AS "chargedMicroEur", waits_for AS "waitsFor", error, webhook_url AS "webhookUrl",
  batch.created_at AS "createdAt", batch.expires_at AS "expiresAt", completed_at AS "completedAt"`;

/** Retention of the Idempotency-Key of a batch, as a Postgres interval. */
const keysKeptFor = "24 hours";

/** An Idempotency-Key with the hash of its request. */
interface KeyedRequest {
  readonly key: string;
  readonly requestHash: Buffer;
}

/** Consecutive lines with their positions. */
export interface NewPart {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly lines: Buffer;
}

/** Another batch of the account has the Idempotency-Key. */
export class BatchKeyTakenError extends Error {
  override readonly name = "BatchKeyTakenError";
}

/** Postgres channel that is notified when a batch has a turn that API processes do not know of. */
export const batchChannel = "batch";

/** SQL that wakes the API processes, in the transaction itself: few batches are made or cancelled. */
const notifyTurn = `pg_notify('${batchChannel}', '')`;

/**
 * Creates a batch, of which no line is accepted yet. Its parts are stored before, or in the same transaction.
 * The statements are safe to repeat.
 *
 * @param sql of a transaction that holds the lock of the account, so that its limit holds.
 * @throws AppError `too_many_jobs` when the account has too many unfinished batches.
 * @throws BatchKeyTakenError when another batch has the idempotency key.
 */
export async function createBatch(
  sql: Sql,
  batch: {
    readonly id: string;
    readonly accountId: string;
    readonly keyId: string;
    readonly linesTotal: number;
    /** Time in which lines are accepted, in milliseconds. */
    readonly acceptForMs: number;
    readonly idempotency: KeyedRequest | null;
    /** Where its event is sent. */
    readonly webhook: Pick<RequestWebhook, "webhookId" | "url"> | null;
  },
): Promise<Batch> {
  const { id, accountId, keyId, linesTotal, acceptForMs, idempotency, webhook } = batch;
  const [open] = await sql.query<{ count: number; mode: KeyMode }>(
    `SELECT requester.mode,
            (SELECT count(*)::int FROM batch
              WHERE account_id = $1 AND id <> $2 AND completed_at IS NULL
                AND ${isOfMode("requester.mode::text")}) AS count
       FROM api_key AS requester WHERE id = $3`,
    [accountId, id, keyId],
  );
  if (open !== undefined && open.count >= quotas.batches[open.mode]) {
    throw tooManyBatches(quotas.batches[open.mode]);
  }
  if (idempotency !== null) {
    await sql.query(
      `UPDATE batch SET idempotency_key = NULL
        WHERE account_id = $1 AND idempotency_key = $2 AND created_at < now() - interval '${keysKeptFor}'`,
      [accountId, idempotency.key],
    );
  }
  const values = {
    id,
    accountId,
    keyId,
    linesTotal,
    acceptForMs,
    idempotencyKey: idempotency?.key ?? null,
    requestHash: idempotency?.requestHash ?? null,
    webhookId: webhook?.webhookId ?? null,
    webhookUrl: webhook?.url ?? null,
  };
  let created: Batch | undefined;
  try {
    [created] = await sql.query<Batch>(...insertBatch.bind(values));
  } catch (cause) {
    const { constraint } = cause as { readonly constraint?: unknown };
    if (constraint !== "batch_account_id_idempotency_key_key") throw cause;
    throw new BatchKeyTakenError("another batch has this idempotency key", { cause });
  }
  if (created === undefined) throw new Error(`batch ${id} was not created`);
  return created;
}

const insertBatch = statement(
  [
    "id",
    "accountId",
    "keyId",
    "linesTotal",
    "acceptForMs",
    "idempotencyKey",
    "requestHash",
    "webhookId",
    "webhookUrl",
  ],
  `INSERT INTO batch (id, account_id, key_id, lines_total, expires_at, idempotency_key, request_hash,
                      webhook_id, webhook_url)
   VALUES (:id, :accountId, :keyId, :linesTotal, now() + :acceptForMs * interval '1 ms', :idempotencyKey,
           :requestHash, :webhookId, :webhookUrl)
   ON CONFLICT (id) DO UPDATE SET id = excluded.id
   RETURNING ${batchColumns}, ${notifyTurn}`,
);

/** Stores a part of a batch that is about to be created. Safe to repeat. */
export async function storePart(sql: Sql, id: string, part: NewPart): Promise<void> {
  const { firstLine, lastLine, lines } = part;
  await sql.query(...insertPart.bind({ id, firstLine, lastLine, lines }));
}

/** Deletes the parts of a batch that was not created. */
export async function forgetParts(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `DELETE FROM request_part
      WHERE owner_id = $1 AND NOT EXISTS (SELECT FROM batch WHERE batch.id = owner_id)`,
    [id],
  );
}

/**
 * Deletes parts of batches that were not created, because the process that received them died.
 *
 * @param id parts of batches with smaller ids are deleted, which were made earlier.
 */
export async function forgetLostParts(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `DELETE FROM request_part
      WHERE owner_id < $1::uuid AND NOT EXISTS (SELECT FROM batch WHERE batch.id = owner_id)`,
    [id],
  );
}

const insertPart = statement(
  ["id", "firstLine", "lastLine", "lines"],
  `INSERT INTO request_part (owner_id, first_line, last_line, lines)
   VALUES (:id, :firstLine, :lastLine, :lines) ON CONFLICT DO NOTHING`,
);

function tooManyBatches(most: number): AppError {
  return new AppError(
    "too_many_jobs",
    `The account has ${most} unfinished batches of keys of this mode, which is its limit. Wait until one has ended, or cancel one.`,
    { details: { max_unfinished_batches: most }, retryAfterMs: 60_000 },
  );
}

/** Finds the batch of an earlier request with the same Idempotency-Key. */
export async function findBatchOfKey(
  sql: Sql,
  use: { readonly accountId: string } & KeyedRequest,
): Promise<{ readonly batch: Batch; readonly isSameRequest: boolean } | null> {
  const [found] = await sql.query<Batch & { isSameRequest: boolean }>(
    `SELECT ${batchColumns}, request_hash = $3 AS "isSameRequest" FROM batch
      WHERE account_id = $1 AND idempotency_key = $2 AND created_at >= now() - interval '${keysKeptFor}'`,
    [use.accountId, use.key, use.requestHash],
  );
  if (found === undefined) return null;
  const { isSameRequest, ...batch } = found;
  return { batch, isSameRequest };
}

/**
 * SQL condition on a batch.
 *
 * @param mode SQL of the mode; null for both.
 */
const isOfMode = (mode: string) => `(${mode}::text IS NULL OR ${modeOfBatch}::text = ${mode})`;

/** Finds a batch of an owner; null if none exists. */
export async function findBatch(
  sql: Sql,
  target: Owner & { readonly batchId: string },
): Promise<Batch | null> {
  const [found] = await sql.query<Batch>(
    `SELECT ${batchColumns} FROM batch
      WHERE id = $1 AND account_id = $2 AND ($3::uuid IS NULL OR key_id = $3) AND ${isOfMode("$4")}`,
    [target.batchId, target.accountId, target.keyId ?? null, target.mode ?? null],
  );
  return found ?? null;
}

/** Lists a page of an owner's batches, newest first, plus one that shows whether there is a next page. */
export function listBatches(
  sql: Sql,
  page: Owner & { readonly beforeId: string | null; readonly limit: number },
): Promise<Batch[]> {
  const { accountId, keyId, mode, beforeId, limit } = page;
  const select = (condition: string) => `
    SELECT batch.* FROM batch
     WHERE ${keyId == null ? "account_id" : "key_id"} = $1 AND account_id = $2
       AND id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND ${condition}
     ORDER BY id DESC LIMIT $4`;
  // Batches of one mode are found by it, except those of earlier versions. It is in the text, so that the plan for
  // any values uses the index.
  const found =
    mode == null
      ? select("true")
      : `(${select(`mode = '${mode}'`)}) UNION ALL (${select(`mode IS NULL AND ${isOfMode(`'${mode}'`)}`)})`;
  return sql.query(`SELECT ${batchColumns} FROM (${found}) AS batch ORDER BY id DESC LIMIT $4`, [
    keyId ?? accountId,
    accountId,
    beforeId,
    limit + 1,
  ]);
}

/**
 * Sets the mode of batches that an earlier version created without one.
 *
 * @param after the id of the last batch that was looked at; null for none.
 */
export async function fillBatchModes(
  sql: Sql,
  after: string | null,
  limit: number,
): Promise<{ readonly rows: number; readonly changed: number; readonly next: string | null }> {
  const page = await sql.query<{ id: string; hasMode: boolean }>(
    `SELECT id, mode IS NOT NULL AS "hasMode" FROM batch
      WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
      ORDER BY id LIMIT $2 FOR NO KEY UPDATE`,
    [after, limit],
  );
  const missing = page.filter(({ hasMode }) => !hasMode).map(({ id }) => id);
  if (missing.length > 0) {
    await sql.query(
      "UPDATE batch SET mode = (SELECT mode FROM api_key WHERE api_key.id = key_id) WHERE id = ANY ($1)",
      [missing],
    );
  }
  const next = page.length < limit ? null : (page.at(-1)?.id ?? null);
  return { rows: page.length, changed: missing.length, next };
}

/**
 * Requests that a batch is cancelled: no further line is accepted. Its unfinished jobs are cancelled in the
 * turns of the batch.
 */
export async function requestCancellation(sql: Sql, batchId: string): Promise<void> {
  await sql.query(
    `UPDATE batch SET status = 'cancelling', waits_for = NULL, turn_at = now()
      WHERE id = $1 AND status = 'processing' RETURNING ${notifyTurn}`,
    [batchId],
  );
}

/** The error for an unknown id; an id of another account gets the same one. */
export function batchNotFound(): AppError {
  return new AppError(
    "batch_not_found",
    "This batch does not exist. GET /v1/batches lists your batches.",
  );
}

/** Retention of the `webhook_url` of a batch after its end, as of those of requests: longer than deliveries. */
const webhookUrlsKeptFor = "10 days";

/**
 * Removes the webhook URLs, which may contain tokens, of batches that ended long ago.
 *
 * @returns the number of changed batches; call again until it is 0.
 */
export async function forgetBatchUrls(
  sql: Sql,
  options: { readonly limit: number },
): Promise<number> {
  const changed = await sql.query(
    `WITH old AS (
       SELECT id FROM batch
        WHERE completed_at < now() - interval '${webhookUrlsKeptFor}' AND webhook_url IS NOT NULL
        ORDER BY id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE batch SET webhook_url = NULL FROM old WHERE batch.id = old.id RETURNING batch.id`,
    [options.limit],
  );
  return changed.length;
}

/**
 * Deletes batches that ended longer ago than `olderThanMs`, with the errors of their lines; their jobs stay.
 *
 * @returns the number of deleted batches; call again until it is 0.
 */
export async function forgetBatches(
  sql: Sql,
  options: { readonly olderThanMs: number; readonly limit: number },
): Promise<number> {
  const deleted = await sql.query(
    `WITH old AS (
       SELECT id FROM batch
        WHERE completed_at < now() - $1::float8 * interval '1 ms' ORDER BY completed_at LIMIT $2
     ), refusals AS (
       DELETE FROM batch_refusal USING old WHERE batch_id = old.id
     )
     DELETE FROM batch USING old WHERE batch.id = old.id RETURNING batch.id`,
    [options.olderThanMs, options.limit],
  );
  return deleted.length;
}
