import { createSharedBudget } from "@atelier/billing";
import { newId, type Sql } from "@atelier/database";

/** Puts all keys of an account into a shared budget that they never reach, so that the audit compares its sums. */
export async function shareBudget(sql: Sql, accountId: string): Promise<void> {
  const budget = { id: newId(), accountId, name: "all", budgetMicroEur: 10n ** 12n } as const;
  await createSharedBudget(sql, { ...budget, period: "day" });
  await sql.query("UPDATE api_key SET budget_id = $2 WHERE account_id = $1", [
    accountId,
    budget.id,
  ]);
}
