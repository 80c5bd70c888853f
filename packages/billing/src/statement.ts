import type { Sql, TransferKind } from "@atelier/database";

/** A transfer as its account sees it. Amounts are in micro-EUR. */
export interface StatementLine {
  readonly transferId: string;
  readonly kind: TransferKind;
  readonly bookedAt: Date;
  /** Change of the available balance. */
  readonly availableMicroEur: bigint;
  /** Change of the held amount. */
  readonly heldMicroEur: bigint;
  /** Amount charged. */
  readonly chargedMicroEur: bigint;
  /** Available balance after it. */
  readonly balanceMicroEur: bigint;
  readonly generationId: string | null;
  readonly reference: string | null;
}

/**
 * The newest transfers of an account, newest first. Their order is that of their ids, which processes
 * make by their own clocks: two that were booked at the same time may have changed places.
 *
 * The array and the order by account keep the planner on the account's own index.
 */
export function readStatement(
  sql: Sql,
  query: { readonly accountId: string; readonly limit: number },
): Promise<StatementLine[]> {
  return sql.query<StatementLine>(
    `SELECT newest.id AS "transferId", kind, newest.created_at AS "bookedAt",
            available::bigint AS "availableMicroEur", held::bigint AS "heldMicroEur",
            charged::bigint AS "chargedMicroEur",
            (balance_micro_eur + available - sum(available) OVER (ORDER BY newest.id DESC))::bigint
              AS "balanceMicroEur",
            coalesce(generation_id, CASE WHEN kind = 'refund' THEN (
              SELECT generation_id FROM refund WHERE transfer_id = newest.id) END) AS "generationId",
            reference
       FROM (SELECT * FROM ledger_transfer WHERE account_id = ANY ($1)
              ORDER BY account_id DESC, id DESC LIMIT $2) AS newest
       JOIN account ON account.id = account_id,
            LATERAL (
              SELECT coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'available'), 0) AS available,
                     coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'held'), 0) AS held,
                     coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'revenue'), 0) AS charged
                FROM ledger_entry WHERE transfer_id = newest.id
            ) AS entries
      ORDER BY newest.id DESC`,
    [[query.accountId], query.limit],
  );
}
