import type { Sql } from "@atelier/database";
import { firstId, lastId } from "../jobs/id-at.ts";

/** Name of the progress of the sweep that deletes abandoned dossiers. The audit reads it too. */
const abandonedDossiers = "abandoned_dossiers";

/** A render that has ended, and that can have dossiers which no record refers to. */
interface AbandonedRender {
  readonly renderId: string;
  /** The last attempt. */
  readonly attempt: number;
  /** The attempt whose dossier is registered; null without one. */
  readonly registered: number | null;
}

/** A page of renders that have ended, in the order of their ids. */
interface SettledPage {
  /** Those that failed or were cancelled after a claim, or that an attempt after the first finished. */
  readonly renders: readonly AbandonedRender[];
  /** Id of the last render of the page; null for an empty page. */
  readonly last: string | null;
  /** Whether there may be more. */
  readonly isFull: boolean;
}

/**
 * Reads renders after the stored progress. Stops at the first that has not ended, or that ended less than
 * `settledAfterMs` ago, since its worker may still be storing a file. No render is inserted before the
 * progress: ids begin with the time of acceptance.
 */
export async function readSettledRenders(
  sql: Sql,
  { settledAfterMs, limit }: { readonly settledAfterMs: number; readonly limit: number },
): Promise<SettledPage> {
  const settled = await sql.query<AbandonedRender & { readonly canHaveOthers: boolean }>(
    `WITH page AS (
       SELECT id, status, attempt,
              coalesce(finished_at < now() - $2 * interval '1 ms', false) AS is_settled
         FROM render
        WHERE id > coalesce((SELECT after FROM sweep_progress WHERE name = $1), '${firstId}')
        ORDER BY id LIMIT $3
     ), settled AS (
       SELECT id, attempt, attempt > (status = 'done')::int AS can_have_others FROM page
        WHERE id < coalesce(
          (SELECT id FROM page WHERE NOT is_settled ORDER BY id LIMIT 1), '${lastId}')
     )
     SELECT id AS "renderId", attempt, can_have_others AS "canHaveOthers", dossier_attempt AS registered
       FROM settled LEFT JOIN mark ON mark.render_id = id AND can_have_others
      ORDER BY id`,
    [abandonedDossiers, settledAfterMs, limit],
  );
  return {
    renders: settled.filter(({ canHaveOthers }) => canHaveOthers),
    last: settled.at(-1)?.renderId ?? null,
    isFull: settled.length === limit,
  };
}

/** Stores that the renders up to one are done with. Never moves back. */
export async function markRendersSwept(sql: Sql, last: string): Promise<void> {
  await sql.query(
    `INSERT INTO sweep_progress AS known (name, after) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET after = excluded.after WHERE known.after < excluded.after`,
    [abandonedDossiers, last],
  );
}
