import { toVendorAmount, type VendorUsage } from "../../vendor-usage.ts";
import type { DescribedAnswer } from "./description.ts";
import { readFirst } from "./json-path.ts";
import type { Answer } from "./rules.ts";

/** The units and the cost that an answer states. */
export function readUsage(
  { cost, units }: DescribedAnswer,
  { json, response }: Answer,
): VendorUsage {
  const stated = Object.entries(units).flatMap(([unit, { at, times }]) => {
    const value = Math.round(Number(readFirst(json, [at]) ?? Number.NaN) * times);
    return Number.isSafeInteger(value) && value >= 0 ? [[unit, value] as const] : [];
  });
  const amount =
    cost === undefined ? null : toVendorAmount(amountOf(cost), cost.currency, cost.unit);
  return {
    ...(stated.length > 0 && { units: Object.fromEntries(stated) }),
    ...(amount !== null && { cost: amount }),
  };

  function amountOf({ at = [], header }: NonNullable<DescribedAnswer["cost"]>): unknown {
    return header === undefined ? readFirst(json, at) : response.headers[header];
  }
}
