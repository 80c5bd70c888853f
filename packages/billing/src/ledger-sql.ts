/**
 * Fragments of SQL for the statements that accept or end a generation, so that its bookings are part
 * of the same statement. All amounts are `bigint` micro-EUR.
 */

/** An SQL expression for an amount: a named parameter or a column. */
type Amount = `:${string}::bigint` | `${string}.${string}`;

/** The name of a relation or common table expression of the statement. */
type Relation = string;

/** Assignments to the account's row for a hold. */
export function setAside(amount: Amount): string {
  return `balance_micro_eur = balance_micro_eur - ${amount}, held_micro_eur = held_micro_eur + ${amount}`;
}

/**
 * Common table expressions that book holds. The statement checks the balances.
 *
 * @param from has the columns `transfer_id` (a new id), `account_id`, `generation_id` and `amount`.
 */
export function bookHold(from: Relation): string {
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

/** Assignments to the account's row when holds end, from the relation `resolved` of `bookResolution`. */
export const releaseHeld =
  "held_micro_eur = held_micro_eur - resolved.amount, balance_micro_eur = balance_micro_eur + resolved.amount - resolved.charge";

/**
 * Common table expressions that book the end of holds. The first one is `resolved`, with `account_id`,
 * `generation_id`, the held `amount` and the `charge`.
 *
 * The statement fails when the hold does not exist, is smaller than the charge, or is already
 * resolved: `resolves_hold_id` is unique.
 *
 * @param kind `settle` charges the held amount or a part of it; `release` charges 0; `of-each`: what the
 *   column `kind` says.
 * @param from has the columns `transfer_id` (a new id), `generation_id` and `charge`.
 */
export function bookResolution(kind: "settle" | "release" | "of-each", from: Relation): string {
  const kindOf = kind === "of-each" ? "f.kind" : `'${kind}'::transfer_kind`;
  // Without a hold, `account_id` is NULL, which violates the constraint of the transfer.
  return `resolved AS (
      SELECT f.transfer_id, f.generation_id, f.charge, ${kindOf} AS kind,
             hold.id AS hold_id, hold.account_id, hold.amount_micro_eur AS amount
        FROM ${from} AS f LEFT JOIN hold
          ON hold.generation_id = f.generation_id AND f.charge BETWEEN 0 AND hold.amount_micro_eur
    ), resolving_transfer AS (
      INSERT INTO ledger_transfer (id, kind, account_id, generation_id, resolves_hold_id)
      SELECT transfer_id, kind, account_id, generation_id, hold_id FROM resolved
    ), resolving_entry AS (
      INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
      SELECT transfer_id, entry.book::ledger_book, account_id, entry.amount
        FROM resolved AS r, LATERAL (VALUES
          ('held', -r.amount), ('revenue', r.charge), ('available', r.amount - r.charge)
        ) AS entry (book, amount)
       WHERE entry.amount <> 0
    )`;
}
