import type { Sql } from "@atelier/database";
import type { TracedDispatch } from "./dispatch.ts";

/**
 * SQL: an account's oldest unattempted render in a lane that is not of a batch.
 *
 * Reads the unfinished jobs of the account in order, and the renders of one job at a time: the first that fits is
 * the result. Postgres must not choose another order, since statistics say little about the few rows that are
 * unfinished. A plain join can read the whole table `render`; a `LATERAL` subquery with `LIMIT` cannot be
 * joined in another order. With `status = …`, ids in the order of the primary key would do, from the oldest
 * finished job on; ordered by an array's status, only the index of an account's jobs of a kind and status does.
 */
const oldestWaiting = `(
  SELECT oldest.*
    FROM unnest(enum_range(NULL::generation_kind)) AS wanted (kind),
         unnest('{pending,processing}'::generation_status[]) AS unfinished (status),
         LATERAL (
           SELECT first.id, generation.id AS generation_id, trace_parent
             FROM generation, LATERAL (
                    SELECT render.id FROM render
                     WHERE generation_id = generation.id AND lane = $2 AND render.status = 'ready' AND attempt = 0
                     ORDER BY position LIMIT 1) AS first
            WHERE account_id = $1 AND generation.kind = wanted.kind
              AND generation.status = ANY (ARRAY[unfinished.status])
              AND batch_id IS NULL
            ORDER BY generation.status DESC, generation.id LIMIT 1) AS oldest
   ORDER BY generation_id LIMIT 1)`;

/**
 * Finds an account's oldest waiting render in a lane that is not of a batch, with its current priority: one more
 * than the number of renders that the lane is processing for the account.
 *
 * The priority at dispatch is the number of the account's unfinished renders at that time. Calling
 * this whenever one of them ends keeps the account's renders in order and gives the next free slot of
 * the lane to the account that occupies the fewest.
 *
 * Renders that were attempted before are skipped: they were first in line already.
 *
 * @returns null when no render of the account waits in the lane.
 */
export async function findNextInLine(
  sql: Sql,
  { accountId, lane }: { readonly accountId: string; readonly lane: string },
): Promise<TracedDispatch | null> {
  const [next] = await sql.query<TracedDispatch>(
    `SELECT oldest.id AS "renderId", $2 AS lane, trace_parent AS "traceParent", 1 + (
              SELECT count(*)::int
                FROM generation, LATERAL (
                       SELECT FROM render
                        WHERE generation_id = generation.id AND lane = $2 AND render.status = 'running'
                        OFFSET 0) AS running
               WHERE account_id = $1 AND generation.status = 'processing') AS priority
       FROM ${oldestWaiting} AS oldest`,
    [accountId, lane],
  );
  return next ?? null;
}
