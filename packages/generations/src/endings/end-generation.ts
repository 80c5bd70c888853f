import { bookResolution, releaseHeld, refundBudget } from "@atelier/billing";
import { jsonText, statement, type Database, type Sql } from "@atelier/database";
import { hasDeliveries, recordEvents, wakeDeliveries } from "@atelier/events";
import type { GenerationError } from "@atelier/schemas";
import type { Dispatch } from "../claims/dispatch.ts";

/** Postgres channel that is notified with the id of every generation that became final. */
export const finalChannel = "generation_final";

/** Result of a statement that ended a generation, for `announceEnd`. */
export interface End {
  /** Whether a webhook receives its event, or may receive it when that is unknown. */
  readonly hasDeliveries: boolean;
}

/**
 * Wakes the requests that wait for a generation, and workers for its webhooks. To be called after the commit
 * that made it final: a notification in that transaction would let only one end at a time.
 */
export function announceEnd(
  database: Pick<Database, "notify">,
  generationId: string,
  end: End,
): void {
  database.notify(finalChannel, generationId);
  if (end.hasDeliveries) wakeDeliveries(database);
}

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
export const endHold = (
  kind: Parameters<typeof bookResolution>[0],
) => `${bookResolution(kind, "ending")},
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
              finished_at = now(), place_account_id = NULL
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
 * Ends a generation without a charge: releases the hold, frees the account's job slots and hides its thumbnails.
 * Deletes the provider's state between scenes, which may contain whole images and must not outlive their files.
 *
 * @param final.transferId id of the transfer that releases the hold, for {@link findEnd}.
 * @returns what {@link announceEnd} needs after the commit.
 */
export async function endWithoutCharge(
  sql: Sql,
  generationId: string,
  final: {
    readonly status: "failed" | "cancelled";
    readonly error: GenerationError | null;
    readonly transferId: string;
  },
): Promise<End> {
  const { status, error, transferId } = final;
  const [end] = await sql.query<End>(
    ...endUncharged.bind({
      generationId,
      transferId,
      status,
      error: error === null ? null : jsonText(error),
    }),
  );
  return end ?? { hasDeliveries: false };
}

/**
 * Finds the end that an earlier run of the same transaction committed, when its response was lost and it is run again.
 *
 * @returns null when that run was rolled back, and another one ended the generation.
 */
export async function findEnd(sql: Sql, transferId: string): Promise<End | null> {
  const transfers = await sql.query("SELECT FROM ledger_transfer WHERE id = $1", [transferId]);
  return transfers.length === 0 ? null : { hasDeliveries: true };
}

const endUncharged = statement(
  ["generationId", "transferId", "status", "error"],
  `WITH ending AS (
       SELECT :transferId::uuid AS transfer_id, id AS generation_id, renders_total, 0::bigint AS charge
         FROM generation WHERE id = :generationId
     ), ${endHold("release")},
     ended AS (
       UPDATE generation SET status = :status, completed_at = now(), error = :error FROM paid WHERE id = :generationId
       RETURNING account_id, id, mode, status
     ), ${recordEvents(
       `
       SELECT account_id, id AS generation_id, 'job.' || status AS type, NULL AS data FROM ended`,
       "(SELECT mode FROM ended)",
     )},
     hidden AS (
       UPDATE image SET deleted_at = now() FROM paid, render
        WHERE generation_id = :generationId AND render_id = render.id AND format = 'thumbnail'
          AND deleted_at IS NULL
     ),
     forgotten AS (
       UPDATE render SET turn = NULL FROM paid WHERE generation_id = :generationId AND turn IS NOT NULL
     )
     SELECT ${hasDeliveries} AS "hasDeliveries"`,
);
