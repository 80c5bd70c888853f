import { newId, type Sql } from "@atelier/database";
import { AppError, formatEur } from "@atelier/schemas";

/**
 * Double entry in micro-EUR. Every account has two books: `available`, what it may spend, and `held`,
 * what is set aside for generations that are not final; the house has `deposits` and `revenue`.
 *
 *   top-up      deposits −x   available +x
 *   withdrawal  available −x  deposits +x
 *   hold        available −x  held +x
 *   settle      held −x       revenue +charge   available +(x − charge)
 *   release     held −x       available +x
 *
 * What is booked for a generation takes part in the statement that accepts or ends it: one statement
 * is one transaction, and one round trip. The account's row carries the sums of its two books, and is
 * changed in the same statement. Where a generation is locked too, the generation comes first.
 */

/** Credit that is booked from outside: a payment, or what is paid back. */
export interface CreditMovement {
  readonly accountId: string;
  readonly amountMicroEur: bigint;
  /** Booked once per account: a second movement with the same reference changes nothing. */
  readonly reference?: string | undefined;
}

/**
 * Adds credit.
 *
 * @returns whether it was booked now.
 * @throws RangeError when the amount is not positive, or the reference was used for another one.
 */
export function topUp(sql: Sql, movement: CreditMovement): Promise<boolean> {
  return bookCredit(sql, "top_up", movement);
}

/**
 * Takes credit back: it is paid out, or was never due. What is held stays where it is.
 *
 * @returns whether it was booked now.
 * @throws RangeError as `topUp` does, and when the balance is smaller.
 */
export async function withdraw(sql: Sql, movement: CreditMovement): Promise<boolean> {
  try {
    return await bookCredit(sql, "withdrawal", movement);
  } catch (cause) {
    if ((cause as { constraint?: unknown }).constraint !== "account_balance_not_negative")
      throw cause;
    throw new RangeError("the balance is smaller than that", { cause });
  }
}

async function bookCredit(
  sql: Sql,
  kind: "top_up" | "withdrawal",
  { accountId, amountMicroEur, reference }: CreditMovement,
): Promise<boolean> {
  if (amountMicroEur <= 0n) throw new RangeError("the amount must be more than 0");
  const change = kind === "top_up" ? amountMicroEur : -amountMicroEur;
  const booked = await sql.query<{ id: string }>(
    `WITH transfer AS (
       INSERT INTO ledger_transfer (id, kind, account_id, reference)
       VALUES ($1, $5::transfer_kind, $2, $4)
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
    [newId(), accountId, change, reference ?? null, kind],
  );
  if (booked.length > 0) return true;
  const [earlier] = await sql.query<{ change: bigint }>(
    `SELECT amount_micro_eur AS change FROM ledger_entry JOIN ledger_transfer ON id = transfer_id
      WHERE ledger_transfer.account_id = $1 AND reference = $2 AND book = 'available'`,
    [accountId, reference],
  );
  if (earlier?.change !== change) {
    throw new RangeError(
      `reference "${reference}" was already used for another amount, or for the other direction`,
    );
  }
  return false;
}

/** The change of an account's row that goes with a hold of `amount`, an SQL expression. */
export function setAside(amount: string): string {
  return `balance_micro_eur = balance_micro_eur - ${amount}, held_micro_eur = held_micro_eur + ${amount}`;
}

/**
 * Books holds: common table expressions, for accounts that were found to have enough.
 *
 * @param from a relation with `transfer_id` (a new id), `account_id`, `generation_id` and `amount`.
 */
export function bookHold(from: string): string {
  return `hold_transfer AS (
      INSERT INTO ledger_transfer (id, kind, account_id, generation_id)
      SELECT transfer_id, 'hold', account_id, generation_id FROM ${from}
    ), hold_entry AS (
      INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
      SELECT transfer_id, entry.book::ledger_book, account_id, entry.amount
        FROM ${from} AS f, LATERAL (VALUES ('available', -f.amount), ('held', f.amount)) AS entry (book, amount)
       WHERE entry.amount <> 0
    ), held AS (
      INSERT INTO hold (id, account_id, generation_id, transfer_id, amount_micro_eur)
      SELECT transfer_id, account_id, generation_id, transfer_id, amount FROM ${from}
    )`;
}

/** Why nothing was held. */
export function insufficientCredit(amounts: {
  readonly requiredMicroEur: bigint;
  readonly balanceMicroEur: bigint;
}): AppError {
  const required_eur = formatEur(amounts.requiredMicroEur);
  const balance_eur = formatEur(amounts.balanceMicroEur);
  return new AppError(
    "insufficient_credit",
    `This costs ${required_eur} EUR and the balance is ${balance_eur} EUR. Top up the account and send the request again.`,
    { details: { required_eur, balance_eur } },
  );
}

/** The change of an account's row that goes with the end of holds, from the relation `resolved`. */
export const giveBackRest =
  "held_micro_eur = held_micro_eur - resolved.amount, balance_micro_eur = balance_micro_eur + resolved.amount - resolved.charge";

/**
 * Books the end of holds: common table expressions, the first of which is `resolved`, with the
 * `account_id`, the `generation_id`, the `amount` that was held and the `charge`.
 *
 * The statement fails when there is no such hold, it is smaller than the charge, or it was resolved
 * before: the unique `resolves_hold_id` refuses a second time, whoever attempts it.
 *
 * @param kind `settle` charges what was held, in full or in part; `release` charges 0.
 * @param from a relation with `transfer_id` (a new id), `generation_id` and `charge`.
 */
export function bookResolution(kind: "settle" | "release", from: string): string {
  // Without a hold the account is NULL, which no transfer takes.
  return `resolved AS (
      SELECT f.transfer_id, f.generation_id, f.charge,
             hold.id AS hold_id, hold.account_id, hold.amount_micro_eur AS amount
        FROM ${from} AS f LEFT JOIN hold
          ON hold.generation_id = f.generation_id AND f.charge BETWEEN 0 AND hold.amount_micro_eur
    ), resolving_transfer AS (
      INSERT INTO ledger_transfer (id, kind, account_id, generation_id, resolves_hold_id)
      SELECT transfer_id, '${kind}', account_id, generation_id, hold_id FROM resolved
    ), resolving_entry AS (
      INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
      SELECT transfer_id, entry.book::ledger_book, account_id, entry.amount
        FROM resolved AS r, LATERAL (VALUES
          ('held', -r.amount), ('revenue', r.charge), ('available', r.amount - r.charge)
        ) AS entry (book, amount)
       WHERE entry.amount <> 0
    )`;
}
