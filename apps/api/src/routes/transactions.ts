import { assertLive } from "@atelier/accounts";
import { listTransactions, type AccountTransaction } from "@atelier/billing";
import {
  formatEur,
  type listTransactionsQuery,
  type Transaction,
  type TransactionList,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";
import { readCursor, splitPage } from "../http/cursor.ts";

/** `GET /v1/transactions`: the account's top-ups, charges and withdrawals, newest first. */
export function readTransactions({ database }: ApiDependencies) {
  return async (
    _request: Request,
    response: Response,
    { limit, cursor }: z.infer<typeof listTransactionsQuery>,
  ): Promise<void> => {
    const { caller } = contextOf(response);
    assertLive(caller);
    const found = await listTransactions(database, {
      accountId: caller.accountId,
      beforeId: readCursor(cursor),
      limit: limit + 1,
    });
    const { page, nextCursor } = splitPage(found, limit);
    response.json({
      transactions: page.map(presentTransaction),
      next_cursor: nextCursor,
    } satisfies TransactionList);
  };
}

const kinds = { top_up: "top_up", settle: "charge", withdrawal: "withdrawal" } as const;

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
