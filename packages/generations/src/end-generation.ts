import { bookResolution, releaseHeld, refundBudget } from "@atelier/billing";
import { jsonText, newId, statement, type Sql } from "@atelier/database";
import { recordEvents } from "@atelier/events";
import type { Dispatch } from "./dispatch.ts";
import type { GenerationError } from "@atelier/schemas";

/** Postgres channel that is notified with the id of every generation that became final. */
export const finalChannel = "generation_final";

/** Locks a generation; false when it does not exist or is final. */
export async function lockUnfinished(sql: Sql, generationId: string): Promise<boolean> {
  const locked = await sql.query(
    `SELECT id FROM generation
      WHERE id = $1 AND status IN ('pending', 'processing') FOR NO KEY UPDATE`,
    [generationId],
  );
  return locked.length > 0;
}

/** The row of an account stayed locked by other transactions. */
export class AccountBusyError extends Error {
  override readonly name = "AccountBusyError";
}

/** Time to wait for an account's row, in milliseconds. Waiting transactions get it in turn. */
const accountWaitMs = 1_000;

/** lock_not_available */
const lockTimedOut = "55P03";

/**
 * Locks a generation that is not locked, and then its account. The rest of the transaction waits for
 * locks as briefly.
 *
 * @returns false when it is final, or locked by another transaction.
 * @throws AccountBusyError when the account stays locked for a second.
 */
export async function lockUnfinishedIfFree(sql: Sql, generationId: string): Promise<boolean> {
  const [locked] = await sql.query<{ accountId: string }>(
    `SELECT account_id AS "accountId" FROM generation
      WHERE id = $1 AND status IN ('pending', 'processing') FOR NO KEY UPDATE SKIP LOCKED`,
    [generationId],
  );
  if (locked === undefined) return false;
  await sql.query(`SET LOCAL lock_timeout = ${accountWaitMs}`);
  try {
    await sql.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [locked.accountId]);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== lockTimedOut) throw cause;
    throw new AccountBusyError(`account ${locked.accountId} is locked`, { cause });
  }
  return true;
}

/** SQL that ends the generations in `ending`: resolves their holds and frees their job slots. */
export const endHold = (kind: "settle" | "release") => `${bookResolution(kind, "ending")},
  paid AS (
    UPDATE account
       SET ${releaseHeld}, unfinished_jobs = unfinished_jobs - 1,
           unfinished_renders = unfinished_renders - ending.renders_total
      FROM resolved JOIN ending USING (generation_id)
     WHERE account.id = resolved.account_id
    RETURNING balance_micro_eur AS balance
  ), ${refundBudget("paid")}`;

/**
 * Stops the unfinished renders of a generation and records the outcome of their open calls as unknown.
 *
 * @param sql of a transaction, so that the second statement sees calls that the first one waited for.
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
 * Ends a generation without a charge: releases the hold, frees the account's job slots and wakes
 * waiting requests. Deletes the provider's state between scenes, which may contain whole images and
 * must not outlive their files.
 */
export async function endWithoutCharge(
  sql: Sql,
  generationId: string,
  final: { readonly status: "failed" | "cancelled"; readonly error: GenerationError | null },
): Promise<void> {
  const { status, error } = final;
  await sql.query(
    ...endUncharged.bind({
      generationId,
      transferId: newId(),
      status,
      error: error === null ? null : jsonText(error),
    }),
  );
}

const endUncharged = statement(
  ["generationId", "transferId", "status", "error"],
  `WITH ending AS (
       SELECT :transferId::uuid AS transfer_id, id AS generation_id, renders_total, 0::bigint AS charge
         FROM generation WHERE id = :generationId
     ), ${endHold("release")},
     ended AS (
       UPDATE generation SET status = :status, completed_at = now(), error = :error FROM paid WHERE id = :generationId
       RETURNING account_id, id, status
     ), ${recordEvents(`
       SELECT account_id, id AS generation_id, 'job.' || status AS type, NULL AS data FROM ended`)},
     hidden AS (
       UPDATE image SET deleted_at = now() FROM paid, render
        WHERE generation_id = :generationId AND render_id = render.id AND format = 'thumbnail'
          AND deleted_at IS NULL
     ),
     forgotten AS (
       UPDATE render SET turn = NULL FROM paid WHERE generation_id = :generationId AND turn IS NOT NULL
     )
     SELECT pg_notify('${finalChannel}', :generationId::text)`,
);
