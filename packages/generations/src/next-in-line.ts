import type { Sql } from "@atelier/database";
import { addedInBatch } from "./batches/batch-line.ts";
import type { TracedDispatch } from "./dispatch.ts";

/**
 * Finds an account's oldest waiting render in a lane, one of a batch only when no other waits, with its current priority: one more than the
 * number of renders that the lane is processing for the account.
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
    // One query per kind, status and membership in a batch: the index of an account's generations starts with them, so that
    // the oldest is the first row read, however many wait.
    `SELECT oldest.id AS "renderId", $2 AS lane, trace_parent AS "traceParent", added + 1 + (
              SELECT count(*)::int FROM generation JOIN render ON generation_id = generation.id
               WHERE account_id = $1 AND generation.status = 'processing'
                 AND lane = $2 AND render.status = 'running') AS priority
       FROM unnest(ARRAY['image', 'story']::generation_kind[]) AS wanted_kind,
            unnest(ARRAY['pending', 'processing']::generation_status[]) AS wanted_status,
            unnest(ARRAY[false, true]) AS in_batch,
            LATERAL (
              SELECT render.id, generation_id, position, trace_parent, ${addedInBatch} AS added
                FROM generation JOIN render ON generation_id = generation.id
               WHERE account_id = $1 AND kind = wanted_kind AND generation.status = wanted_status
                 AND (batch_id IS NOT NULL) = in_batch AND lane = $2 AND render.status = 'ready' AND attempt = 0
               ORDER BY generation.id, position LIMIT 1) AS oldest
      ORDER BY added, generation_id, position LIMIT 1`,
    [accountId, lane],
  );
  return next ?? null;
}
