import type { ApiKey } from "@atelier/schemas";

/** The amount that a key can still spend, and the limit that ends it. */
export interface KeyLimit {
  readonly availableEur: number;
  readonly binding: "budget" | "balance";
}

/** Compares what is left of a key's budget with the balance of its account. */
export function limitOf(
  { budget, spent_eur }: Pick<ApiKey, "budget" | "spent_eur">,
  balanceEur: string,
): KeyLimit {
  const balance = toMicroEur(balanceEur);
  if (budget === null) return { availableEur: balance / 1e6, binding: "balance" };
  const left = Math.max(toMicroEur(budget.eur) - toMicroEur(spent_eur), 0);
  return left <= balance
    ? { availableEur: left / 1e6, binding: "budget" }
    : { availableEur: balance / 1e6, binding: "balance" };
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
