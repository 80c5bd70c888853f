import { statement, type Sql } from "@atelier/database";
import type { TracedDispatch } from "../claims/dispatch.ts";
import { priorityInBatch } from "./batch-line.ts";

/** Postgres channel that is notified when images of a batch wait for a place in their lane. */
export const batchPlaceChannel = "batch_place";

/** An image of a batch that a worker adds to the queue. */
export interface PlacedRender extends TracedDispatch {
  readonly accountId: string;
}

/**
 * Takes an image of a batch that waits for a place in a lane, to be added to the queue. Recovery adds it when
 * that is lost. Accounts take turns, and the images of one follow the order of their acceptance.
 *
 * @param after.accountId account of the last image that the caller took; null for none.
 * @returns null when none waits, or when other processes are taking all that wait.
 */
export async function takeForPlace(
  sql: Sql,
  lane: string,
  after: { readonly accountId: string | null },
): Promise<PlacedRender | null> {
  for (;;) {
    const [taken] = await sql.query<PlacedRender & { isReady: boolean }>(
      ...takeNext.bind({ lane, afterId: after.accountId }),
    );
    if (taken === undefined) return null;
    const { isReady, ...render } = taken;
    if (isReady) return render;
  }
}

/** SQL: the oldest image that waits. A lock is allowed in a subquery of `UNION` only. */
const oldest = (condition: string) => `
  SELECT * FROM (
    SELECT id, place_account_id FROM render WHERE lane = :lane AND ${condition}
     ORDER BY place_account_id, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS oldest`;

/** A worker of an earlier version can end a render and leave it in line. */
const takeNext = statement(
  ["lane", "afterId"],
  `UPDATE render
      SET place_account_id = NULL,
          dispatched_at = CASE render.status WHEN 'ready' THEN now() ELSE dispatched_at END
     FROM (${oldest("place_account_id > :afterId::uuid")} UNION ALL ${oldest("place_account_id IS NOT NULL")}
           LIMIT 1) AS next
    WHERE render.id = next.id
   RETURNING render.id AS "renderId", lane, ${priorityInBatch + 1} AS priority,
             next.place_account_id AS "accountId", render.status = 'ready' AS "isReady",
             (SELECT trace_parent FROM generation WHERE generation.id = generation_id) AS "traceParent"`,
);

/**
 * Lets an image of a batch wait for a place again, out of the queue.
 *
 * @returns false when it does not wait: it was claimed, has ended, or is not of a batch.
 */
export async function returnToPlaces(sql: Sql, renderId: string): Promise<boolean> {
  const returned = await sql.query(
    `UPDATE render SET place_account_id = account_id, dispatched_at = NULL FROM generation
      WHERE render.id = $1 AND generation.id = generation_id AND batch_id IS NOT NULL AND render.status = 'ready'
     RETURNING render.id`,
    [renderId],
  );
  return returned.length > 0;
}

/** Finds those of the lanes in which an image of a batch waits for a place. */
export async function findLanesInWait(
  sql: Sql,
  lanes: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS served (name)
      WHERE EXISTS (SELECT FROM render WHERE lane = name AND place_account_id IS NOT NULL)`,
    [lanes],
  );
  return rows.map(({ name }) => name);
}
