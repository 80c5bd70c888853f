import { hasWebhookToEnd } from "@atelier/accounts";
import type { Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import { idempotencyKeysKeptFor } from "../accept/idempotent-use.ts";
import { addedInBatch } from "../batches/batch-line.ts";
import type { TracedDispatch } from "./dispatch.ts";

/**
 * SQL: an unfinished render was neither dispatched nor claimed in the last `$1` milliseconds. `dispatched_at`,
 * which is indexed, is not changed by claims, except where it is null.
 */
const isUnattended = `render.finished_at IS NULL AND render.status <> 'waiting'
          AND dispatched_at < now() - $1 * interval '1 ms'
          AND (render.status <> 'running' OR claimed_at < now() - $1 * interval '1 ms')`;

/**
 * Takes at most `limit` renders that should be in the queue and were neither dispatched nor claimed
 * recently. Marks them as dispatched, so that several workers share the work. The priority of each is its
 * current position among its account's renders in the lane: those in progress first, the others in the
 * order of their acceptance. Renders of batches come after all others. Those that wait for a place were not
 * dispatched, and are left to the workers of their lane.
 */
export function takeUnattended(
  sql: Sql,
  options: {
    readonly olderThanMs: number;
    readonly limit: number;
    /** Lanes whose queues the caller can reach. */
    readonly lanes: readonly string[];
  },
): Promise<TracedDispatch[]> {
  return sql.query(
    `WITH taken AS (
       SELECT render.id, account_id, trace_parent
         FROM render JOIN generation ON generation.id = generation_id
        WHERE ${isUnattended} AND lane = ANY ($3)
        ORDER BY dispatched_at
        LIMIT $2
          FOR UPDATE OF render SKIP LOCKED
     ), ranked AS (
       SELECT render.id, row_number() OVER (
                PARTITION BY account_id, lane, batch_id IS NULL
                ORDER BY render.status = 'running' DESC, generation_id, position)::int + ${addedInBatch} AS priority
         FROM render JOIN generation ON generation.id = generation_id
        WHERE render.finished_at IS NULL AND render.status <> 'waiting' AND lane = ANY ($3)
          AND account_id IN (SELECT account_id FROM taken)
     )
     UPDATE render SET dispatched_at = now()
       FROM taken JOIN ranked USING (id) WHERE render.id = taken.id
     RETURNING render.id AS "renderId", lane, priority, trace_parent AS "traceParent"`,
    [options.olderThanMs, options.limit, options.lanes],
  );
}

/** Unfinished work, as recovery sees it. Times are in milliseconds by the database's clock. */
interface Outlook {
  /** Time until a deadline passes; null without unfinished generations. */
  readonly deadlineInMs: number | null;
  /** Age of the oldest `dispatched_at` of an unfinished render; null without any in these lanes. */
  readonly unattendedForMs: number | null;
  /** A render was neither dispatched nor claimed for `olderThanMs`. */
  readonly hasUnattended: boolean;
  /** A webhook is enabled although its key has ended. */
  readonly hasWebhookToEnd: boolean;
}

/**
 * Reads when recovery has something to do next.
 *
 * @param options.lanes lanes whose queues the caller can reach.
 */
export async function readOutlook(
  sql: Sql,
  options: { readonly olderThanMs: number; readonly lanes: readonly string[] },
): Promise<Outlook> {
  const [outlook] = await sql.query<Outlook>(
    `SELECT extract(epoch FROM (
              SELECT deadline_at FROM generation WHERE completed_at IS NULL ORDER BY deadline_at LIMIT 1
            ) - now())::float8 * 1000 AS "deadlineInMs",
            extract(epoch FROM now() - (
              SELECT dispatched_at FROM render
               WHERE finished_at IS NULL AND status <> 'waiting' AND lane = ANY ($2)
               ORDER BY dispatched_at LIMIT 1
            ))::float8 * 1000 AS "unattendedForMs",
            EXISTS (
              SELECT FROM render WHERE ${isUnattended} AND lane = ANY ($2)
            ) AS "hasUnattended",
            ${hasWebhookToEnd} AS "hasWebhookToEnd"`,
    [options.olderThanMs, options.lanes],
  );
  if (outlook === undefined) throw new Error("no result of the outlook");
  return outlook;
}

/**
 * Finds unfinished generations past their deadline, with their last error, by deadline.
 *
 * @param options.exceptAccounts accounts whose generations are left out.
 */
export function findOverdue(
  sql: Sql,
  options: { readonly limit: number; readonly exceptAccounts?: readonly string[] },
): Promise<{ generationId: string; accountId: string; lastError: GenerationError | null }[]> {
  return sql.query(
    `SELECT generation.id AS "generationId", account_id AS "accountId",
            (SELECT last_error FROM render WHERE generation_id = generation.id AND last_error IS NOT NULL
              ORDER BY position LIMIT 1) AS "lastError"
       FROM generation
      WHERE completed_at IS NULL AND deadline_at < now() AND account_id <> ALL ($2)
      ORDER BY deadline_at LIMIT $1`,
    [options.limit, options.exceptAccounts ?? []],
  );
}

/** Deletes idempotency keys that have expired. */
export async function forgetIdempotencyKeys(sql: Sql): Promise<void> {
  await sql.query(
    `DELETE FROM idempotency_key WHERE created_at < now() - interval '${idempotencyKeysKeptFor}'`,
  );
}
