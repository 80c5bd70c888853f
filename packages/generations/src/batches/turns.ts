import { jsonText, statement, type Database, type Sql } from "@atelier/database";
import { hasDeliveries, isReceiving, recordEvents, wakeDeliveries } from "@atelier/events";
import type { GenerationError } from "@atelier/schemas";
import { batchColumns, type Batch } from "./batches.ts";

/** A batch that a process works on. */
export interface BatchTurn extends Batch {
  /** Unfinished jobs of its account, of all kinds. */
  readonly unfinishedJobs: number;
  readonly isExpired: boolean;
  /** How long its next line has waited for `waitsFor`, in milliseconds; 0 when it does not. */
  readonly waitedMs: number;
}

/** Longer than a turn; if the process dies, another one takes the batch afterwards. */
const turnFor = "10 seconds";

/**
 * Takes the unfinished batch whose turn is due longest, for some seconds. Two processes that work on one
 * batch do no harm: each line is taken once.
 */
export async function takeTurn(sql: Sql): Promise<BatchTurn | null> {
  const [turn] = await sql.query<BatchTurn>(
    `WITH due AS (
       SELECT id FROM batch WHERE completed_at IS NULL AND turn_at <= now()
        ORDER BY turn_at LIMIT 1 FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE batch SET turn_at = now() + interval '${turnFor}' FROM due WHERE batch.id = due.id
       RETURNING batch.*
     )
     SELECT ${batchColumns}, unfinished_jobs AS "unfinishedJobs", batch.expires_at <= now() AS "isExpired",
            coalesce(extract(epoch FROM now() - (waits_for->>'since')::timestamptz)::float8 * 1000, 0) AS "waitedMs"
       FROM taken AS batch JOIN account ON account.id = batch.account_id`,
  );
  return turn ?? null;
}

/** Whether there is an unfinished batch, whose next turn is due within a second or so. */
export async function hasUnfinishedBatch(sql: Sql): Promise<boolean> {
  const unfinished = await sql.query("SELECT FROM batch WHERE completed_at IS NULL LIMIT 1");
  return unfinished.length > 0;
}

/** Ends a turn: the next one begins after `pauseMs`. */
export async function endTurn(sql: Sql, batchId: string, pauseMs: number): Promise<void> {
  await sql.query(
    "UPDATE batch SET turn_at = now() + $2::float8 * interval '1 ms' WHERE id = $1 AND completed_at IS NULL",
    [batchId, pauseMs],
  );
}

/** Records why the next line of a batch is not accepted yet, and since when that is so. */
export async function recordWait(sql: Sql, batchId: string, error: GenerationError): Promise<void> {
  await sql.query(
    `UPDATE batch
        SET waits_for = $2::jsonb || jsonb_build_object('since',
              CASE WHEN waits_for->>'error' = $2::jsonb->>'error' THEN waits_for->'since' ELSE to_jsonb(now()) END)
      WHERE id = $1 AND status = 'processing'`,
    [batchId, jsonText(error)],
  );
}

/** Stops a batch: none of its further lines is accepted. Jobs of earlier ones continue. */
export async function stopBatch(sql: Sql, batchId: string, error: GenerationError): Promise<void> {
  await sql.query(
    `UPDATE batch SET error = $2::jsonb, waits_for = NULL
      WHERE id = $1 AND status = 'processing' AND error IS NULL`,
    [batchId, jsonText(error)],
  );
}

/** Unfinished jobs of a batch, oldest first. */
export async function listUnfinishedJobs(
  sql: Sql,
  batchId: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM generation
      WHERE batch_id = $1 AND completed_at IS NULL ORDER BY batch_line DESC LIMIT $2`,
    [batchId, limit],
  );
  return rows.map(({ id }) => id);
}

/** SQL condition on the row of a batch: no further line is taken, and all jobs of it are final. */
const hasEnded = `completed_at IS NULL
  AND (lines_taken = lines_total OR status = 'cancelling' OR error IS NOT NULL)
  AND lines_refused + jobs_completed + jobs_failed + jobs_cancelled = lines_taken`;

/**
 * Ends a batch whose lines have all ended, and records its event.
 *
 * @param present the data of the event.
 * @returns whether it ended.
 */
export async function endBatch(
  database: Database,
  batchId: string,
  present: (batch: Batch) => object,
): Promise<boolean> {
  const end = await database.transaction(async (sql) => {
    const [ended] = await sql.query<Batch>(
      `UPDATE batch
          SET status = CASE WHEN status = 'cancelling' THEN 'cancelled' WHEN error IS NULL THEN 'completed'
                            ELSE 'failed' END::batch_status,
              completed_at = now(), waits_for = NULL
        WHERE id = $1 AND ${hasEnded}
       RETURNING ${batchColumns}`,
      [batchId],
    );
    if (ended === undefined) return null;
    await sql.query("DELETE FROM request_part WHERE owner_id = $1", [batchId]);
    const { accountId } = ended;
    const [recorded] = await sql.query<{ hasDeliveries: boolean }>(
      ...recordEnd.bind({ batchId, accountId, data: jsonText(present(ended)) }),
    );
    return recorded ?? { hasDeliveries: false };
  });
  if (end?.hasDeliveries === true) wakeDeliveries(database);
  return end !== null;
}

const recordEnd = statement(
  ["batchId", "accountId", "data"],
  `WITH ${recordEvents(
    `
     SELECT :accountId::uuid AS account_id, NULL::uuid AS generation_id, 'batch.completed' AS type, :data::jsonb AS data`,
    "(SELECT api_key.mode FROM api_key JOIN batch ON api_key.id = key_id WHERE batch.id = :batchId)",
    `JOIN LATERAL (
       SELECT webhook_id, ARRAY['batch.completed'] AS events
         FROM batch JOIN webhook ON webhook.id = webhook_id LEFT JOIN api_key AS maker ON maker.id = webhook.key_id
        WHERE batch.id = :batchId AND ${isReceiving}) AS requested ON true`,
  )}
   SELECT ${hasDeliveries} AS "hasDeliveries"`,
);
