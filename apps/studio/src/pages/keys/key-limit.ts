import type { ApiKey, Budget } from "@atelier/schemas";

/** The amount that a key can still spend, and the limit that ends it. */
export interface KeyLimit {
  readonly availableEur: number;
  readonly binding: "budget" | "shared" | "balance";
}

/** Compares what is left of a key's budgets with the balance of its account. */
export function limitOf(
  { budget, spent_eur }: Pick<ApiKey, "budget" | "spent_eur">,
  balanceEur: string,
  shared: Pick<Budget, "eur" | "spent_eur"> | null = null,
): KeyLimit {
  const leftOf = (eur: string, spent: string) => Math.max(toMicroEur(eur) - toMicroEur(spent), 0);
  let least: KeyLimit = { availableEur: toMicroEur(balanceEur), binding: "balance" };
  const limit = (availableEur: number, binding: KeyLimit["binding"]) => {
    if (availableEur <= least.availableEur) least = { availableEur, binding };
  };
  if (shared !== null) limit(leftOf(shared.eur, shared.spent_eur), "shared");
  if (budget !== null) limit(leftOf(budget.eur, spent_eur), "budget");
  return { ...least, availableEur: least.availableEur / 1e6 };
}

/** Start of the next budget period of a key, as an ISO timestamp; null for a budget without periods. */
export function nextPeriodOf({ budget }: Pick<ApiKey, "budget">, now: number): string | null {
  const time = new Date(now);
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  if (budget?.period === "day") return new Date(Date.UTC(year, month, day + 1)).toISOString();
  if (budget?.period === "month") return new Date(Date.UTC(year, month + 1, 1)).toISOString();
  return null;
}

function toMicroEur(eur: string): number {
  return Math.round(Number(eur) * 1e6);
}

/** Whether a key works now. */
export function stateOf(
  { revoked_at, expires_at }: Pick<ApiKey, "revoked_at" | "expires_at">,
  now: number,
): "live" | "revoked" | "expired" {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now ? "expired" : "live";
}
