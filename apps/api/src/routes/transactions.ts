import { assertLive } from "@atelier/accounts";
import { listTransactions, type AccountTransaction } from "@atelier/billing";
import type { Database } from "@atelier/database";
import { formatEur, type Transaction, type TransactionList } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { QueryOf } from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import type { Routes } from "../http/routes.ts";

/** `/v1/transactions`: the account's top-ups, charges, withdrawals and refunds, newest first. */
export function serveTransactions(routes: Routes, { database }: Needs<"database">): void {
  routes.add(endpoints.listTransactions, ({ caller, query }) => {
    assertLive(caller);
    return readTransactions(database, caller.accountId, query);
  });
}

/** Reads a page of the transactions of an account. */
export async function readTransactions(
  database: Database,
  accountId: string,
  { limit, cursor }: QueryOf<typeof endpoints.listTransactions>,
): Promise<TransactionList> {
  const beforeId = readCursor(cursor);
  const found = await listTransactions(database, { accountId, beforeId, limit: limit + 1 });
  const { page, nextCursor } = splitPage(found, limit);
  return { transactions: page.map(presentTransaction), next_cursor: nextCursor };
}

const kinds = {
  top_up: "top_up",
  settle: "charge",
  withdrawal: "withdrawal",
  refund: "refund",
} as const;

function presentTransaction(transaction: AccountTransaction): Transaction {
  return {
    id: transaction.id,
    kind: kinds[transaction.kind],
    created_at: transaction.bookedAt.toISOString(),
    amount_eur: formatEur(transaction.amountMicroEur),
    job_id: transaction.generationId,
    key_id: transaction.keyId,
    reference: transaction.reference,
  };
}
