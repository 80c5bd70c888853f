import { operation } from "@atelier/schemas";
import * as z from "zod";
import { currencies, type UsageUnit } from "./vendor-usage.ts";

/** A unit of a vendor's price list: what is counted, and how many of it a price is for. */
interface PricedUnit {
  readonly counts: UsageUnit;
  readonly per: bigint;
  /** Whether a started unit is billed as a whole one. */
  readonly isRoundedUp?: boolean;
}

/** The units of vendors' price lists, by their names in a catalogue. */
export const pricedUnits = {
  call: { counts: "calls", per: 1n },
  image: { counts: "images", per: 1n },
  reference: { counts: "references", per: 1n },
  step: { counts: "steps", per: 1n },
  second: { counts: "milliseconds", per: 1_000n },
  megapixel: { counts: "pixels", per: 1_000_000n },
  started_megapixel: { counts: "pixels", per: 1_000_000n, isRoundedUp: true },
  input_megapixel: { counts: "input_pixels", per: 1_000_000n },
  million_text_input_tokens: { counts: "text_input_tokens", per: 1_000_000n },
  million_cached_input_tokens: { counts: "cached_input_tokens", per: 1_000_000n },
  million_image_input_tokens: { counts: "image_input_tokens", per: 1_000_000n },
  million_text_output_tokens: { counts: "text_output_tokens", per: 1_000_000n },
  million_image_output_tokens: { counts: "image_output_tokens", per: 1_000_000n },
} as const satisfies Record<string, PricedUnit>;
export type PricedUnitName = keyof typeof pricedUnits;

const amount = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,9})?$/, "must be an amount such as 0.04, with at most 9 decimals");

/** Prices that hold for some calls: the first rule that matches a call gives its price. */
const priceRule = z.strictObject({
  operations: z.array(operation).min(1).optional(),
  image_sizes: z.array(z.string()).min(1).optional(),
  min_references: z.int().min(0).optional(),
  max_references: z.int().min(0).optional(),
  min_steps: z.int().min(1).optional(),
  max_steps: z.int().min(1).optional(),
  /** Price of each unit; the cost of a call is the sum over them. */
  per: z
    .partialRecord(z.enum(Object.keys(pricedUnits) as [PricedUnitName]), amount)
    .refine((units) => Object.keys(units).length > 0, "must name at least one unit"),
});
export type PriceRule = z.infer<typeof priceRule>;

/** The price that the vendor charges the operator for a model. */
export const vendorPrice = z.strictObject({
  currency: z.enum(currencies).default("USD"),
  /** Whether the price is a guess and not from the vendor's price list. */
  is_estimate: z.boolean().default(false),
  rules: z.array(priceRule).min(1),
});
export type VendorPrice = z.infer<typeof vendorPrice>;
