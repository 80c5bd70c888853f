import type { Sql } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import type { GenerationError } from "@atelier/schemas";
import { idempotencyKeysKeptFor } from "./accept.ts";

/** A render that should be in the queue. */
export interface Unattended extends Dispatch {
  /** The trace that its generation was accepted in (W3C Trace Context), where there is one. */
  readonly traceParent: string | null;
}

/**
 * Renders that should be in the queue and were not looked after for a while, at most `limit`.
 * They count as looked after from now on, so that several workers share the work.
 */
export function takeUnattended(
  sql: Sql,
  options: {
    readonly olderThanMs: number;
    readonly limit: number;
    /** Those whose queues the caller knows. */
    readonly lanes: readonly string[];
  },
): Promise<Unattended[]> {
  return sql.query(
    `WITH taken AS (
       SELECT render.id, account.unfinished_renders AS priority, trace_parent
         FROM render
         JOIN generation ON generation.id = generation_id
         JOIN account ON account.id = account_id
        WHERE render.finished_at IS NULL AND render.status <> 'waiting'
          AND dispatched_at < now() - $1 * interval '1 ms' AND lane = ANY ($3)
        ORDER BY dispatched_at
        LIMIT $2
          FOR UPDATE OF render SKIP LOCKED
     )
     UPDATE render SET dispatched_at = now() FROM taken WHERE render.id = taken.id
     RETURNING render.id AS "renderId", lane, greatest(taken.priority, 1) AS priority,
               trace_parent AS "traceParent"`,
    [options.olderThanMs, options.limit, options.lanes],
  );
}

/** Generations that are past their deadline and not final, with the last thing that went wrong. */
export function findOverdue(
  sql: Sql,
  limit: number,
): Promise<{ generationId: string; lastError: GenerationError | null }[]> {
  return sql.query(
    `SELECT generation.id AS "generationId",
            (SELECT last_error FROM render WHERE generation_id = generation.id AND last_error IS NOT NULL
              ORDER BY position LIMIT 1) AS "lastError"
       FROM generation
      WHERE completed_at IS NULL AND deadline_at < now()
      ORDER BY deadline_at LIMIT $1`,
    [limit],
  );
}

/** Forgets idempotency keys after their time, and rate limits that are long over. */
export async function forgetExpired(sql: Sql): Promise<void> {
  await sql.query(
    `DELETE FROM idempotency_key WHERE created_at < now() - interval '${idempotencyKeysKeptFor}'`,
  );
  await sql.query(
    "DELETE FROM rate_limit WHERE theoretical_arrival_at < now() - interval '1 hour'",
  );
}
