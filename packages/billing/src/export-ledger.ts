import type { Sql, TransferKind } from "@atelier/database";

/** A transfer of an account, holds and releases included. Amounts are in micro-EUR. */
export interface ExportedTransfer {
  readonly id: string;
  readonly kind: TransferKind;
  readonly bookedAt: Date;
  /** Change of the balance. */
  readonly availableMicroEur: bigint;
  /** Change of the held amount. */
  readonly heldMicroEur: bigint;
  readonly chargedMicroEur: bigint;
  readonly generationId: string | null;
  readonly reference: string | null;
}

/**
 * Lists a page of all transfers of an account, oldest first.
 *
 * @param of.after the last id of the previous page; null for the first page.
 */
export function exportTransfers(
  sql: Sql,
  of: { readonly accountId: string; readonly after: string | null; readonly limit: number },
): Promise<ExportedTransfer[]> {
  return sql.query<ExportedTransfer>(
    `SELECT id, kind, created_at AS "bookedAt", reference,
            coalesce(generation_id, CASE WHEN kind = 'refund' THEN (
              SELECT generation_id FROM refund WHERE transfer_id = page.id) END) AS "generationId",
            available::bigint AS "availableMicroEur", held::bigint AS "heldMicroEur",
            charged::bigint AS "chargedMicroEur"
       FROM (SELECT * FROM ledger_transfer
              WHERE account_id = $1
                AND id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
              ORDER BY id LIMIT $3) AS page,
            LATERAL (
              SELECT coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'available'), 0) AS available,
                     coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'held'), 0) AS held,
                     coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'revenue'), 0) AS charged
                FROM ledger_entry WHERE transfer_id = page.id
            ) AS entries
      ORDER BY id`,
    [of.accountId, of.after, of.limit],
  );
}
