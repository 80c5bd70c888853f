import { newId, statement, type Sql } from "@atelier/database";
import { accountEvents, hasDeliveries, notifyDeliveries, recordEvents } from "@atelier/events";
import { AppError, formatEur } from "@atelier/schemas";
import type { RefusalReason } from "@atelier/schemas/admin";
import { changedBalance, lowBalanceEvents } from "./low-balance.ts";

/**
 * Double-entry bookkeeping in micro-EUR. Every account has two books: `available`, its balance, and
 * `held`, the sum of its holds. The operator has the books `deposits` and `revenue`.
 *
 *   top-up      deposits −x   available +x
 *   withdrawal  available −x  deposits +x
 *   hold        available −x  held +x
 *   settle      held −x       revenue +charge   available +(x − charge)
 *   release     held −x       available +x
 *   refund      revenue −x    available +x      (`refund.ts`)
 *
 * Bookings for a generation are part of the statement that accepts or ends it (`ledger-sql.ts`), which
 * is one transaction and one round trip. The account's row contains the sums of its two books and is
 * changed in the same statement. Rows are locked in the order of packages/database/lock-order.md.
 */

/** A booking that the ledger refuses. */
export class BookingError extends RangeError {
  override readonly name = "BookingError";
  readonly reason: RefusalReason<"change_refused">;
  /** Facts of the message, such as amounts. */
  readonly values: Readonly<Record<string, string>>;

  constructor(
    reason: RefusalReason<"change_refused">,
    message: string,
    options: { readonly values?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.values = options.values ?? {};
  }
}

/** A payment of a customer, or a refund to one. */
export interface CreditMovement {
  readonly accountId: string;
  readonly amountMicroEur: bigint;
  /** Makes the movement idempotent: an account books each reference once. */
  readonly reference?: string | undefined;
}

/**
 * Adds credit to an account.
 *
 * @returns false when the reference was booked before.
 * @throws BookingError when the amount is not positive, the balance would become larger than Postgres can
 *   store, or the reference was used for another amount.
 */
export function topUp(sql: Sql, movement: CreditMovement): Promise<boolean> {
  return bookCredit(sql, "top_up", movement);
}

/**
 * Removes available credit from an account. Does not change its holds.
 *
 * @returns false when the reference was booked before.
 * @throws BookingError as `topUp` does, and when the balance is smaller.
 */
export async function withdraw(sql: Sql, movement: CreditMovement): Promise<boolean> {
  try {
    return await bookCredit(sql, "withdrawal", movement);
  } catch (cause) {
    if ((cause as { constraint?: unknown }).constraint !== "account_balance_not_negative")
      throw cause;
    throw new BookingError("balance_too_small", "the balance is smaller than the amount", {
      cause,
    });
  }
}

async function bookCredit(
  sql: Sql,
  kind: "top_up" | "withdrawal",
  { accountId, amountMicroEur, reference }: CreditMovement,
): Promise<boolean> {
  if (amountMicroEur <= 0n)
    throw new BookingError("amount_not_positive", "the amount must be more than 0");
  const change = kind === "top_up" ? amountMicroEur : -amountMicroEur;
  const booked = await book(sql, kind, { accountId, change, reference: reference ?? null });
  if (booked) return true;
  const [earlier] = await sql.query<{ change: bigint }>(
    `SELECT amount_micro_eur AS change FROM ledger_entry JOIN ledger_transfer ON id = transfer_id
      WHERE ledger_transfer.account_id = $1 AND reference = $2 AND book = 'available'`,
    [accountId, reference],
  );
  if (earlier?.change !== change) {
    throw new BookingError(
      "reference_used",
      `reference "${reference}" was already used for another amount, or for the other direction`,
      { values: { reference: reference ?? "" } },
    );
  }
  return false;
}

/** numeric_value_out_of_range: a sum of micro-EUR does not fit into a bigint. */
const outOfRange = "22003";

/** @returns false when the reference was used before. */
async function book(
  sql: Sql,
  kind: "top_up" | "withdrawal",
  movement: {
    readonly accountId: string;
    readonly change: bigint;
    readonly reference: string | null;
  },
): Promise<boolean> {
  const booking = sql.query(...bookTransfer.bind({ transferId: newId(), kind, ...movement }));
  try {
    return (await booking).length > 0;
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== outOfRange) throw cause;
    throw new BookingError(
      "balance_too_large",
      "the balance would exceed the largest amount that can be stored. Book a smaller amount",
      { cause },
    );
  }
}

const bookTransfer = statement(
  ["transferId", "accountId", "change", "reference", "kind"],
  `WITH transfer AS (
       INSERT INTO ledger_transfer (id, kind, account_id, reference)
       VALUES (:transferId, :kind::transfer_kind, :accountId, :reference)
       ON CONFLICT (account_id, reference) DO NOTHING
       RETURNING id
     ), entries AS (
       INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
       SELECT transfer.id, entry.book::ledger_book, :accountId, entry.amount
         FROM transfer, (VALUES ('deposits', -:change::bigint), ('available', :change::bigint)) AS entry (book, amount)
     ), changed AS (
       UPDATE account SET balance_micro_eur = balance_micro_eur + :change
         FROM transfer WHERE account.id = :accountId
       RETURNING transfer.id, ${changedBalance}
     ), ${recordEvents(lowBalanceEvents("changed"), accountEvents)}
     SELECT id, CASE WHEN ${hasDeliveries} THEN ${notifyDeliveries} END FROM changed`,
);

/** The error for a balance that is too small for a hold. */
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
