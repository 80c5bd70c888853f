import { newId, type Sql } from "@atelier/database";
import { AppError, formatEur } from "@atelier/schemas";

/**
 * Double entry in micro-EUR. Every account has two books: `available`, what it may spend, and `held`,
 * what is set aside for generations that are not final; the house has `deposits` and `revenue`.
 *
 *   top-up    deposits −x   available +x
 *   hold      available −x  held +x
 *   settle    held −x       revenue +charge   available +(x − charge)
 *   release   held −x       available +x
 *
 * Each function is one statement and belongs into the transaction of what it pays for. The account's
 * row carries the sums of its two books and is locked by it: where a generation is locked too, the
 * generation comes first.
 */

/**
 * Adds credit. A reference is booked once per account: a second top-up with it changes nothing.
 *
 * @returns whether it was booked now.
 * @throws RangeError when the amount is not positive, or the reference was used for another amount.
 */
export async function topUp(
  sql: Sql,
  topUpOf: {
    readonly accountId: string;
    readonly amountMicroEur: bigint;
    readonly reference?: string | undefined;
  },
): Promise<boolean> {
  const { accountId, amountMicroEur, reference } = topUpOf;
  if (amountMicroEur <= 0n) throw new RangeError("a top-up must be more than 0");
  const booked = await sql.query<{ id: string }>(
    `WITH transfer AS (
       INSERT INTO ledger_transfer (id, kind, account_id, reference)
       VALUES ($1, 'top_up', $2, $4)
       ON CONFLICT (account_id, reference) DO NOTHING
       RETURNING id
     ), entries AS (
       INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
       SELECT transfer.id, entry.book::ledger_book, $2, entry.amount
         FROM transfer, (VALUES ('deposits', -$3::bigint), ('available', $3::bigint)) AS entry (book, amount)
     )
     UPDATE account SET balance_micro_eur = balance_micro_eur + $3
       FROM transfer WHERE account.id = $2
     RETURNING transfer.id`,
    [newId(), accountId, amountMicroEur, reference ?? null],
  );
  if (booked.length > 0) return true;
  const [earlier] = await sql.query<{ amount: bigint }>(
    `SELECT amount_micro_eur AS amount FROM ledger_entry JOIN ledger_transfer ON id = transfer_id
      WHERE ledger_transfer.account_id = $1 AND reference = $2 AND book = 'available'`,
    [accountId, reference],
  );
  if (earlier?.amount !== amountMicroEur) {
    throw new RangeError(`reference "${reference}" was already used for another amount`);
  }
  return false;
}

/**
 * Sets money aside for a generation.
 *
 * @throws AppError `insufficient_credit` when the account has less; nothing is changed then.
 */
export async function hold(
  sql: Sql,
  holdOf: {
    readonly accountId: string;
    readonly generationId: string;
    readonly amountMicroEur: bigint;
  },
): Promise<void> {
  const { accountId, generationId, amountMicroEur } = holdOf;
  const held = await sql.query(
    `WITH debited AS (
       UPDATE account
          SET balance_micro_eur = balance_micro_eur - $4, held_micro_eur = held_micro_eur + $4
        WHERE id = $2 AND balance_micro_eur >= $4
       RETURNING id
     ), transfer AS (
       INSERT INTO ledger_transfer (id, kind, account_id, generation_id)
       SELECT $1, 'hold', id, $3 FROM debited
       RETURNING id
     ), entries AS (
       INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
       SELECT transfer.id, entry.book::ledger_book, $2, entry.amount
         FROM transfer, (VALUES ('available', -$4::bigint), ('held', $4::bigint)) AS entry (book, amount)
        WHERE entry.amount <> 0
     )
     INSERT INTO hold (id, account_id, generation_id, transfer_id, amount_micro_eur)
     SELECT $1, $2, $3, id, $4 FROM transfer
     RETURNING id`,
    [newId(), accountId, generationId, amountMicroEur],
  );
  if (held.length === 1) return;
  const [account] = await sql.query<{ balance: bigint }>(
    "SELECT balance_micro_eur AS balance FROM account WHERE id = $1",
    [accountId],
  );
  const required_eur = formatEur(amountMicroEur);
  const balance_eur = formatEur(account?.balance ?? 0n);
  throw new AppError(
    "insufficient_credit",
    `This costs ${required_eur} EUR and the balance is ${balance_eur} EUR. Top up the account and send the request again.`,
    { details: { required_eur, balance_eur } },
  );
}

/**
 * Charges what was held for a generation, in full or in part; the rest is available again.
 *
 * @returns the account's available balance afterwards, in micro-EUR.
 * @throws when there is no such hold, it is smaller than the charge, or it was resolved before.
 */
export function settle(
  sql: Sql,
  settleOf: { readonly generationId: string; readonly chargeMicroEur: bigint },
): Promise<bigint> {
  return resolve(sql, "settle", settleOf.generationId, settleOf.chargeMicroEur);
}

/**
 * Gives back what was held for a generation.
 *
 * @returns the account's available balance afterwards, in micro-EUR.
 * @throws when there is no such hold, or it was resolved before.
 */
export function release(sql: Sql, releaseOf: { readonly generationId: string }): Promise<bigint> {
  return resolve(sql, "release", releaseOf.generationId, 0n);
}

async function resolve(
  sql: Sql,
  kind: "settle" | "release",
  generationId: string,
  chargeMicroEur: bigint,
): Promise<bigint> {
  // The unique `resolves_hold_id` refuses a second resolution, whoever attempts it.
  const [account] = await sql.query<{ balance: bigint }>(
    `WITH held AS (
       SELECT id, account_id, amount_micro_eur AS amount FROM hold
        WHERE generation_id = $2 AND $4::bigint BETWEEN 0 AND amount_micro_eur
     ), transfer AS (
       INSERT INTO ledger_transfer (id, kind, account_id, generation_id, resolves_hold_id)
       SELECT $1, $3::transfer_kind, account_id, $2, id FROM held
       RETURNING id
     ), entries AS (
       INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
       SELECT transfer.id, entry.book::ledger_book, held.account_id, entry.amount
         FROM transfer, held, LATERAL (VALUES
           ('held', -held.amount), ('revenue', $4::bigint), ('available', held.amount - $4::bigint)
         ) AS entry (book, amount)
        WHERE entry.amount <> 0
     )
     UPDATE account
        SET held_micro_eur = held_micro_eur - held.amount,
            balance_micro_eur = balance_micro_eur + held.amount - $4::bigint
       FROM held, transfer WHERE account.id = held.account_id
     RETURNING balance_micro_eur AS balance`,
    [newId(), generationId, kind, chargeMicroEur],
  );
  if (account === undefined) {
    throw new Error(
      `generation ${generationId} has no hold that ${chargeMicroEur} can be ${kind}d from`,
    );
  }
  return account.balance;
}
