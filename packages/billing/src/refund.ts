import { newId, statement, type Database, type Sql } from "@atelier/database";
import { AppError, formatEur } from "@atelier/schemas";
import { BookingError } from "./ledger.ts";

/** Returns what was charged for a job, or a part of it. */
export interface RefundRequest {
  readonly generationId: string;
  /** Null for all that is not refunded yet. */
  readonly amountMicroEur: bigint | null;
  /** Makes the refund idempotent: an account books each reference once, for refunds and other movements. */
  readonly reference: string;
}

/** A refund that is booked. Amounts are in micro-EUR. */
export interface Refund {
  readonly accountId: string;
  /** False when the reference was booked before. */
  readonly booked: boolean;
  readonly amountMicroEur: bigint;
  /** Of all refunds of the job. */
  readonly refundedMicroEur: bigint;
  readonly chargedMicroEur: bigint;
  /** Of the account, afterwards. */
  readonly balanceMicroEur: bigint;
}

/** A job as its refund needs it. */
export interface ChargedJob {
  readonly accountId: string;
  readonly keyId: string | null;
  /** The shared budget that it spent from; null for none. */
  readonly budgetId: string | null;
  readonly model: string;
  readonly kind: string;
}

/**
 * Returns credit to the account of a completed job: revenue −x, available +x. The sum of the refunds of a job is at
 * most its charge: refunds of an account follow each other, since they lock it. The spent amounts of the key's budgets
 * stay, which limit what its jobs may cost, and so does the charge of the job.
 *
 * @param findArchived reads a job that the tables do not have; null if the archive does not have it either.
 * @throws BookingError for an amount that is not positive or more than the rest of the charge, and for a reference that
 *   was used for something else.
 * @throws AppError `job_not_found` for a job that does not exist, or is archived and its account was erased.
 */
export async function refundJob(
  database: Pick<Database, "query" | "transaction">,
  request: RefundRequest,
  findArchived: (generationId: string) => Promise<ChargedJob | null>,
): Promise<Refund> {
  const { generationId, amountMicroEur, reference } = request;
  if (amountMicroEur !== null && amountMicroEur <= 0n) {
    throw new BookingError("amount_not_positive", "the amount must be more than 0");
  }
  // Chosen before: a run that was committed although its response was lost is recognised by it.
  const transferId = newId();
  // Before the transaction, which must not wait for a file.
  const known = (await findJob(database, generationId)) ?? (await findArchived(generationId));
  if (known === null) {
    throw new AppError(
      "job_not_found",
      `Job ${generationId} does not exist, or is archived and its account was erased.`,
    );
  }
  return database.transaction(async (sql) => {
    const job = (await findJob(sql, generationId)) ?? known;
    const [account] = await sql.query<{ balance: bigint }>(
      "SELECT balance_micro_eur AS balance FROM account WHERE id = $1 FOR NO KEY UPDATE",
      [job.accountId],
    );
    const { charged, refunded } = await readCharge(sql, generationId);
    const state = {
      accountId: job.accountId,
      refundedMicroEur: refunded,
      chargedMicroEur: charged,
      balanceMicroEur: account?.balance ?? 0n,
    };
    const earlier = await findByReference(sql, job.accountId, reference);
    if (earlier !== null) {
      const isSame =
        earlier.generationId === generationId &&
        (amountMicroEur === null || earlier.amountMicroEur === amountMicroEur);
      if (!isSame) {
        throw new BookingError(
          "reference_used",
          `reference "${reference}" was already used for another amount, job or operation`,
          { values: { reference } },
        );
      }
      return {
        ...state,
        booked: earlier.transferId === transferId,
        amountMicroEur: earlier.amountMicroEur,
      };
    }
    const rest = charged - refunded;
    const amount = amountMicroEur ?? rest;
    if (amount > rest || rest === 0n) {
      const values = {
        charged_eur: formatEur(charged),
        refunded_eur: formatEur(refunded),
        left_eur: formatEur(rest),
      };
      throw new BookingError(
        "not_refundable",
        `the job was charged ${values.charged_eur} EUR, of which ${values.refunded_eur} EUR are refunded: at most ${values.left_eur} EUR can be refunded`,
        { values },
      );
    }
    const [booked] = await sql.query<{ balance: bigint }>(
      ...bookRefund.bind({ transferId, generationId, reference, amount, ...job }),
    );
    return {
      ...state,
      booked: true,
      amountMicroEur: amount,
      refundedMicroEur: refunded + amount,
      balanceMicroEur: booked?.balance ?? 0n,
    };
  });
}

/** SQL of the account of the job $1, also of an archived one, whose hold stays. */
export const accountOfJob = `SELECT account_id FROM generation WHERE id = $1
   UNION SELECT account_id FROM hold WHERE generation_id = $1`;

/** Reads the job, or else an earlier refund of it, which has the columns of an archived job. */
async function findJob(sql: Sql, generationId: string): Promise<ChargedJob | null> {
  const [job] = await sql.query<ChargedJob>(
    `SELECT account_id AS "accountId", key_id AS "keyId", budget_id AS "budgetId", model, kind FROM generation WHERE id = $1
      UNION ALL
     SELECT account_id, key_id, budget_id, model, kind FROM refund WHERE generation_id = $1
      LIMIT 1`,
    [generationId],
  );
  return job ?? null;
}

/** Reads from the ledger, in which an unfinished, failed or test job has no charge. */
async function readCharge(
  sql: Sql,
  generationId: string,
): Promise<{ readonly charged: bigint; readonly refunded: bigint }> {
  const [sums] = await sql.query<{ charged: bigint; refunded: bigint }>(
    `SELECT (SELECT coalesce(sum(amount_micro_eur), 0)::bigint
               FROM ledger_transfer JOIN ledger_entry ON transfer_id = id
              WHERE generation_id = $1 AND kind = 'settle' AND book = 'revenue') AS charged,
            (SELECT coalesce(sum(amount_micro_eur), 0)::bigint FROM refund WHERE generation_id = $1) AS refunded`,
    [generationId],
  );
  return sums ?? { charged: 0n, refunded: 0n };
}

interface EarlierTransfer {
  readonly transferId: string;
  /** Null for a transfer of another kind. */
  readonly generationId: string | null;
  readonly amountMicroEur: bigint;
}

async function findByReference(
  sql: Sql,
  accountId: string,
  reference: string,
): Promise<EarlierTransfer | null> {
  const [found] = await sql.query<EarlierTransfer>(
    `SELECT id AS "transferId", refund.generation_id AS "generationId",
            coalesce(amount_micro_eur, 0) AS "amountMicroEur"
       FROM ledger_transfer LEFT JOIN refund ON transfer_id = id
      WHERE ledger_transfer.account_id = $1 AND reference = $2`,
    [accountId, reference],
  );
  return found ?? null;
}

const bookRefund = statement(
  [
    "transferId",
    "accountId",
    "generationId",
    "reference",
    "amount",
    "keyId",
    "budgetId",
    "model",
    "kind",
  ],
  `WITH transfer AS (
     INSERT INTO ledger_transfer (id, kind, account_id, reference)
     VALUES (:transferId, 'refund', :accountId, :reference)
   ), entries AS (
     INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
     VALUES (:transferId, 'revenue', :accountId, -:amount::bigint), (:transferId, 'available', :accountId, :amount::bigint)
   ), refunded AS (
     INSERT INTO refund (transfer_id, account_id, generation_id, amount_micro_eur, key_id, budget_id, model, kind)
     VALUES (:transferId, :accountId, :generationId, :amount::bigint, :keyId::uuid, :budgetId::uuid, :model, :kind::generation_kind)
   )
   UPDATE account SET balance_micro_eur = balance_micro_eur + :amount::bigint
    WHERE id = :accountId RETURNING balance_micro_eur AS balance`,
);
