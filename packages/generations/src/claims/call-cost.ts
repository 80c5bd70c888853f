/** The cost of a provider call, as it is recorded with the call. Amounts are integers. */
export interface CallCost {
  /** The units that the vendor counts, such as tokens by kind. */
  readonly units: Readonly<Record<string, number>>;
  /** The vendor's price at the time of the call. */
  readonly price: object | null;
  readonly basis: "reported" | "computed" | "estimated" | "unknown";
  /** In millionths of the currency; null if unknown, which is not 0. */
  readonly micro: bigint | null;
  readonly currency: string | null;
  readonly microEur: bigint | null;
  readonly microEurPerUsd: bigint | null;
}

/** The cost as JSON, with amounts as texts: JSON numbers are not exact. */
export function encodeCost(cost: CallCost): string {
  return JSON.stringify(cost, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

/** Reads what `encodeCost` wrote. */
export function decodeCost(json: string): CallCost {
  const cost = JSON.parse(json) as CallCost;
  const amountOf = (text: string | bigint | null) => (text === null ? null : BigInt(text));
  return {
    ...cost,
    micro: amountOf(cost.micro),
    microEur: amountOf(cost.microEur),
    microEurPerUsd: amountOf(cost.microEurPerUsd),
  };
}

/** The parameter of `setCost`; null keeps what is recorded. */
export function costParameter(cost: CallCost | null | undefined): string {
  return cost == null ? "{}" : encodeCost(cost);
}

/**
 * SQL that sets the cost of a provider call in an UPDATE whose FROM contains `costRecord`. It is part of the
 * statement that records the outcome, so that a cost takes no commit of its own.
 */
export const setCost = (isOfCall = "true") =>
  Object.entries({
    units: "units",
    price: "price",
    cost_basis: "basis",
    cost_micro: "micro",
    cost_currency: "currency",
    cost_micro_eur: '"microEur"',
    micro_eur_per_usd: '"microEurPerUsd"',
  })
    .map(
      ([column, field]) =>
        `${column} = CASE WHEN cost.basis IS NOT NULL AND ${isOfCall} THEN cost.${field} ELSE provider_call.${column} END`,
    )
    .join(", ");

export const costRecord = `jsonb_to_record(:cost::jsonb) AS cost (
  units jsonb, price jsonb, basis cost_basis, micro bigint, currency text,
  "microEur" bigint, "microEurPerUsd" bigint)`;
