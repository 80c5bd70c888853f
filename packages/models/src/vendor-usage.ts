/** Currencies of vendors' prices. */
export const currencies = ["USD", "EUR"] as const;
export type Currency = (typeof currencies)[number];

/** Units that vendors count, all as integers. */
export type UsageUnit =
  | "text_input_tokens"
  | "cached_input_tokens"
  | "image_input_tokens"
  | "text_output_tokens"
  | "image_output_tokens"
  | "calls"
  | "images"
  /** Of the results; a vendor's price per megapixel is for 1,000,000 of them. */
  | "pixels"
  /** Of the references and of the image to edit. */
  | "input_pixels"
  | "references"
  | "steps"
  /** Billed computing time. */
  | "milliseconds";
export type UsageUnits = Readonly<Partial<Record<UsageUnit, number>>>;

/** An amount of money in millionths of its currency. */
export interface VendorAmount {
  readonly micro: bigint;
  readonly currency: Currency;
}

/** The statements of a vendor's response about a call, whatever its outcome. */
export interface VendorUsage {
  /** The usage of the call; only units that the vendor states. */
  readonly units?: UsageUnits;
  /** The cost that the vendor states. It replaces any computed one. */
  readonly cost?: VendorAmount;
}

/**
 * Converts an amount that a vendor states as a number or as a decimal text, rounded to millionths.
 *
 * @param scale units of the currency for 1, such as 0.01 for credits of one cent.
 * @returns null for anything that is not an amount of 0 or more, and for amounts above a billion.
 */
export function toVendorAmount(
  amount: unknown,
  currency: Currency = "USD",
  scale = 1,
): VendorAmount | null {
  if (typeof amount !== "number" && typeof amount !== "string") return null;
  if (amount === "") return null;
  const value = Number(amount) * scale;
  if (!(value >= 0 && value <= 1e9)) return null;
  return { micro: BigInt(Math.round(value * 1e6)), currency };
}

/** The units that a response states; null and undefined are left out. */
export function statedUnits(
  units: Readonly<Partial<Record<UsageUnit, number | null | undefined>>>,
): UsageUnits {
  return Object.fromEntries(Object.entries(units).filter(([, value]) => value != null));
}

/** A later statement about a call added to an earlier one. */
export function mergeUsage(earlier: VendorUsage, later: VendorUsage): VendorUsage {
  const cost = later.cost ?? earlier.cost;
  return {
    units: { ...earlier.units, ...later.units },
    ...(cost !== undefined && { cost }),
  };
}
