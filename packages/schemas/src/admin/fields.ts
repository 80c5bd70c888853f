import * as z from "zod";
import { eurAmount, newName } from "../fields.ts";
import { parseEur } from "../money.ts";

/** Amounts above it must be confirmed: they are more likely typing errors than payments. */
export const largeAmountEur = "10000";

/** Refuses a large amount that is not confirmed. */
export function isConfirmed(amount: string | undefined, confirm: boolean): boolean {
  const given = eurAmount.safeParse(amount ?? "0");
  // Refinements run for other forms as well, which have an error of their own.
  return confirm || !given.success || parseEur(given.data) <= parseEur(largeAmountEur);
}

/** The error of a large amount. */
export const unconfirmed = {
  path: ["confirm"],
  error: `must be true to book more than ${largeAmountEur} EUR`,
};

/** Properties of a booking. */
export const booking = {
  eur: eurAmount,
  reference: newName.meta({
    description:
      "Of the payment or the complaint. An account books each reference once, so that a request can be repeated.",
    examples: ["invoice 2026-117"],
  }),
  reason: newName.meta({
    description:
      "For the operator log, and for the account, whose export has it. It is removed with the account.",
    examples: ["Paid by bank transfer"],
  }),
  confirm: z
    .boolean()
    .default(false)
    .meta({
      description: `Must be true for an amount of more than ${largeAmountEur} EUR.`,
    }),
};
