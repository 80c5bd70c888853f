import { findAccount, type Caller } from "@atelier/accounts";
import { assertWithinBudgets, insufficientCredit } from "@atelier/billing";
import { priceOf } from "@atelier/models";
import type { Operation } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";
import { entriesFor } from "../../routes/models.ts";

/**
 * Refuses a request whose key could not pay for the smallest price of its operation, before its images
 * are received.
 *
 * @throws AppError `insufficient_credit`, `key_budget_exhausted` or `budget_exhausted`.
 */
export async function assertAffordable(
  caller: Caller,
  operation: Operation,
  dependencies: Needs<"catalogue" | "database">,
): Promise<void> {
  if (caller.mode === "test") return;
  const prices = entriesFor(caller, dependencies)
    .filter(({ operations }) => operations.includes(operation))
    .flatMap((entry) => {
      const sizes = entry.operation_prices_eur[operation] ?? entry.prices_eur;
      const steps = entry.client_may_set.steps?.min;
      return Object.keys(sizes).map((size) => priceOf(entry, size, { operation, steps }));
    });
  const [first, ...others] = prices;
  if (first === undefined) return;
  const requiredMicroEur = others.reduce((least, one) => (one < least ? one : least), first);
  const { database } = dependencies;
  const account = await findAccount(database, caller.accountId);
  const balanceMicroEur = account?.balanceMicroEur ?? 0n;
  if (balanceMicroEur < requiredMicroEur) {
    throw insufficientCredit({ requiredMicroEur, balanceMicroEur });
  }
  await assertWithinBudgets(database, caller.keyId, requiredMicroEur);
}
