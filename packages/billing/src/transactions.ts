import type { Sql } from "@atelier/database";

/** A change of what an account owns: its balance and its holds together. Amounts are in micro-EUR. */
export interface AccountTransaction {
  readonly id: string;
  readonly kind: "top_up" | "settle" | "withdrawal" | "refund";
  readonly bookedAt: Date;
  /** Negative for charges and withdrawals. */
  readonly amountMicroEur: bigint;
  /** The job of a charge or a refund. */
  readonly generationId: string | null;
  readonly keyId: string | null;
  readonly reference: string | null;
}

/**
 * Lists a page of an account's transactions, newest first. Holds and releases are no transactions:
 * they move money between the balance and the held amount.
 *
 * Reads the newest of each kind and merges them, so that each part comes from one index range.
 *
 * @param of.beforeId only transactions older than this one; null for the newest.
 */
export function listTransactions(
  sql: Sql,
  of: { readonly accountId: string; readonly beforeId: string | null; readonly limit: number },
): Promise<AccountTransaction[]> {
  const before =
    of.beforeId === null
      ? "$2::uuid IS NULL"
      : `(created_at, id) < (
           (SELECT created_at FROM ledger_transfer WHERE id = $2 AND account_id = $1), $2)`;
  return sql.query<AccountTransaction>(
    `SELECT page.id, page.kind, page.created_at AS "bookedAt", amount::bigint AS "amountMicroEur",
            coalesce(page.generation_id, refund.generation_id) AS "generationId",
            coalesce(generation.key_id, refund.key_id) AS "keyId", reference
       FROM (
         SELECT newest.*
           FROM unnest('{top_up,settle,withdrawal,refund}'::transfer_kind[]) AS wanted (kind),
                LATERAL (
                  SELECT id, kind, created_at, generation_id, reference FROM ledger_transfer
                   WHERE account_id = $1 AND ledger_transfer.kind = wanted.kind
                     AND ledger_transfer.kind <> 'hold' AND ${before}
                   ORDER BY created_at DESC, id DESC LIMIT $3
                ) AS newest
          ORDER BY newest.created_at DESC, newest.id DESC LIMIT $3
       ) AS page
       LEFT JOIN generation ON generation.id = page.generation_id
       LEFT JOIN refund ON page.kind = 'refund' AND refund.transfer_id = page.id,
            LATERAL (
              SELECT coalesce(sum(amount_micro_eur), 0) AS amount FROM ledger_entry
               WHERE transfer_id = page.id AND book IN ('available', 'held')
            ) AS entries
      ORDER BY page.created_at DESC, page.id DESC`,
    [of.accountId, of.beforeId, of.limit],
  );
}
