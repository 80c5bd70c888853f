import { bookResolution, giveBackRest } from "@atelier/billing";
import { newId, type Sql } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import type { GenerationError } from "@atelier/schemas";

/** Channel on which the id of every generation that became final is notified. */
export const finalChannel = "generation_final";

/** Locks a generation; false when there is none that is not final. */
export async function lockUnfinished(sql: Sql, generationId: string): Promise<boolean> {
  const locked = await sql.query(
    `SELECT id FROM generation
      WHERE id = $1 AND status IN ('pending', 'processing') FOR NO KEY UPDATE`,
    [generationId],
  );
  return locked.length > 0;
}

/** The end of the generations in `ending`: what was held is resolved, and their slots are free. */
export const endHold = (kind: "settle" | "release") => `${bookResolution(kind, "ending")},
  paid AS (
    UPDATE account
       SET ${giveBackRest}, unfinished_jobs = unfinished_jobs - 1,
           unfinished_renders = unfinished_renders - ending.renders_total
      FROM resolved JOIN ending USING (generation_id)
     WHERE account.id = resolved.account_id
    RETURNING balance_micro_eur AS balance
  )`;

/**
 * What is not done is not made any more, and what came of its open calls will never be known.
 *
 * @param sql of a transaction: the second statement sees the calls that the first had to wait for.
 */
export async function stopRenders(
  sql: Sql,
  generationId: string,
  status: "failed" | "cancelled",
): Promise<readonly Pick<Dispatch, "renderId" | "lane">[]> {
  const [stopped] = await Promise.all([
    sql.query<Pick<Dispatch, "renderId" | "lane">>(
      `UPDATE render SET status = CASE WHEN status = 'running' THEN $2 ELSE 'cancelled' END::render_status,
              finished_at = now()
        WHERE generation_id = $1 AND status IN ('waiting', 'ready', 'running')
       RETURNING id AS "renderId", lane`,
      [generationId, status],
    ),
    sql.query(
      `UPDATE provider_call SET outcome = 'unknown', finished_at = now()
        WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1) AND outcome IS NULL`,
      [generationId],
    ),
  ]);
  return stopped;
}

/**
 * Ends a generation without a charge: what was held is released, the account has its slots back, and
 * whoever waits is woken. What a provider had kept between scenes is forgotten: it may hold whole
 * images, which are not to outlive their files.
 */
export async function giveUp(
  sql: Sql,
  generationId: string,
  final: { readonly status: "failed" | "cancelled"; readonly error: GenerationError | null },
): Promise<void> {
  await sql.query(
    `WITH ending AS (
       SELECT $2::uuid AS transfer_id, id AS generation_id, renders_total, 0::bigint AS charge
         FROM generation WHERE id = $1
     ), ${endHold("release")},
     ended AS (
       UPDATE generation SET status = $3, completed_at = now(), error = $4 FROM paid WHERE id = $1
     ), forgotten AS (
       UPDATE render SET turn = NULL FROM paid WHERE generation_id = $1 AND turn IS NOT NULL
     )
     SELECT pg_notify('${finalChannel}', $1::text)`,
    [
      generationId,
      newId(),
      final.status,
      final.error === null ? null : JSON.stringify(final.error),
    ],
  );
}
