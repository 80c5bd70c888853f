import type { Operation, PixelSize } from "@atelier/schemas";
import type { ProviderOutcome } from "./provider.ts";
import {
  pricedUnits,
  type PriceRule,
  type PricedUnitName,
  type VendorPrice,
} from "./vendor-price.ts";
import type { Currency, UsageUnits, VendorUsage } from "./vendor-usage.ts";

/**
 * How the cost of a call is known: stated by the vendor; computed from stated or counted units and the
 * vendor's price list; estimated, because the price or the billing of this outcome is a guess.
 */
type CostBasis = "reported" | "computed" | "estimated" | "unknown";

/** Facts that determine what the vendor charges for a call. */
export interface CallFacts {
  readonly outcome: ProviderOutcome["kind"];
  readonly usage: VendorUsage;
  readonly operation: Operation;
  readonly imageSize: string;
  /** Images that the vendor receives: references, and the image to edit. */
  readonly references: number;
  /** Null when neither the request nor the model's presets set them. */
  readonly steps: number | null;
  /** Requested pixels; null when the vendor chooses them. */
  readonly pixels: PixelSize | null;
}

/** The part of a catalogue entry that determines a vendor's charge. */
export interface PricedModel {
  readonly vendor_price: VendorPrice | null;
  readonly charges_for_refusals: boolean;
}

/** The cost of a call as it is recorded. All amounts are integers. */
export interface PricedCall {
  /** Stated and counted units; only the stated ones of a call whose response is lost. */
  readonly units: UsageUnits;
  /** The price at the time of the call; null when the vendor stated the cost or has no known price. */
  readonly price: (Pick<PriceRule, "per"> & { readonly currency: Currency }) | null;
  readonly basis: CostBasis;
  /** In millionths of the currency; null if unknown. */
  readonly micro: bigint | null;
  readonly currency: Currency | null;
  /** Null if the cost or the exchange rate is unknown. */
  readonly microEur: bigint | null;
  /** The rate at the time of the call, in micro-EUR for one USD; null when it was not needed or set. */
  readonly microEurPerUsd: bigint | null;
}

/** Outcomes for which vendors bill nothing, according to the documentation of all that state it. */
const unbilled: ReadonlySet<ProviderOutcome["kind"]> = new Set([
  "rate-limited",
  "out-of-quota",
  "invalid-request",
  "unavailable",
]);

/**
 * Prices a call. A statement of the vendor wins; otherwise its units are multiplied with the price list.
 * Without either, the cost is unknown, which is not 0.
 *
 * @param model null for a model that is no longer in the catalogue.
 * @param microEurPerUsd null when the operator has set no rate.
 */
export function priceCall(
  model: PricedModel | null,
  facts: CallFacts,
  microEurPerUsd: bigint | null,
): PricedCall {
  const counted = unitsOf(facts);
  // A later attempt may resume the call: counting 0 images now would look like a statement of the vendor then.
  const isLost = facts.outcome === "unknown" || facts.outcome === "timed-out";
  const units = isLost ? (facts.usage.units ?? {}) : counted;
  const stated = facts.usage.cost;
  if (stated !== undefined) {
    return inEur({ units, price: null, basis: "reported", ...stated }, microEurPerUsd);
  }
  const price = model?.vendor_price ?? null;
  const rule = price?.rules.find((candidate) => matches(candidate, facts)) ?? null;
  const shown =
    price === null || rule === null ? null : { currency: price.currency, per: rule.per };
  const found = { units, price: shown, currency: price?.currency ?? "USD" };
  const unknown = { units, price: shown, basis: "unknown", micro: null } as const;

  const micro = shown === null ? null : costOf(shown.per, counted);
  const wasMade = facts.outcome === "image" || facts.outcome === "wrong-size";
  if (shown !== null && micro !== null && (wasMade || isAlwaysBilled(shown.per))) {
    const basis = price?.is_estimate === true ? "estimated" : "computed";
    return inEur({ ...found, basis, micro }, microEurPerUsd);
  }
  if (unbilled.has(facts.outcome) || (facts.outcome === "refused" && isFree(model))) {
    return inEur({ ...found, basis: "estimated", micro: 0n }, microEurPerUsd);
  }
  if (facts.outcome === "refused" && shown !== null) {
    // Billed like an image, although no image was made.
    const likeImage = costOf(shown.per, unitsOf({ ...facts, outcome: "image" }));
    if (likeImage !== null) {
      return inEur({ ...found, basis: "estimated", micro: likeImage }, microEurPerUsd);
    }
  }
  return { ...unknown, currency: null, microEur: null, microEurPerUsd: null };
}

function isFree(model: PricedModel | null): boolean {
  return model !== null && !model.charges_for_refusals;
}

function matches(rule: PriceRule, { imageSize, operation, references, steps }: CallFacts): boolean {
  return (
    (rule.operations?.includes(operation) ?? true) &&
    (rule.image_sizes?.includes(imageSize) ?? true) &&
    references >= (rule.min_references ?? 0) &&
    references <= (rule.max_references ?? Infinity) &&
    // A rule about steps says nothing about calls whose steps are not known.
    (rule.min_steps === undefined || (steps !== null && steps >= rule.min_steps)) &&
    (rule.max_steps === undefined || (steps !== null && steps <= rule.max_steps))
  );
}

/** The counted units; those that the vendor states win. */
function unitsOf({ outcome, pixels, references, steps, usage }: CallFacts): UsageUnits {
  const hasImage = outcome === "image" || outcome === "wrong-size";
  return {
    calls: 1,
    images: hasImage ? 1 : 0,
    references,
    ...(hasImage && steps !== null && { steps }),
    ...(hasImage && pixels !== null && { pixels: pixels.width * pixels.height }),
    ...usage.units,
  };
}

/** Units that vendors leave out when their number is 0. */
const optionalTokens: ReadonlySet<PricedUnitName> = new Set([
  "million_cached_input_tokens",
  "million_image_input_tokens",
  "million_text_output_tokens",
  "input_megapixel",
]);

/** Stated tokens are billed whatever came of them; a price of 0 needs no outcome. */
function isAlwaysBilled(per: PriceRule["per"]): boolean {
  return (
    Object.keys(per).some((unit) => unit.endsWith("_tokens")) ||
    Object.values(per).every((price) => Number(price) === 0)
  );
}

/** Prices have up to 9 decimals, so they are summed in billionths of a currency unit. */
const nanoPerMicro = 1_000n;

/** The cost in millionths, rounded half up once; null when a unit of the price is not known. */
function costOf(per: PriceRule["per"], units: UsageUnits): bigint | null {
  const common = 1_000_000n;
  let nano = 0n;
  for (const [name, text] of Object.entries(per) as [PricedUnitName, string][]) {
    const unit = pricedUnits[name];
    const count = units[unit.counts] ?? (optionalTokens.has(name) ? 0 : null);
    if (count === null) return null;
    const counted = BigInt(count);
    const billed =
      "isRoundedUp" in unit ? ((counted + unit.per - 1n) / unit.per) * unit.per : counted;
    nano += toNano(text) * billed * (common / unit.per);
  }
  return divideHalfUp(nano, common * nanoPerMicro);
}

function toNano(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

function divideHalfUp(amount: bigint, by: bigint): bigint {
  return (amount + by / 2n) / by;
}

const microPerUnit = 1_000_000n;

function inEur(
  cost: Pick<PricedCall, "units" | "price" | "basis"> & {
    readonly micro: bigint;
    readonly currency: Currency;
  },
  microEurPerUsd: bigint | null,
): PricedCall {
  if (cost.currency === "EUR") return { ...cost, microEur: cost.micro, microEurPerUsd: null };
  if (cost.micro === 0n) return { ...cost, microEur: 0n, microEurPerUsd };
  return {
    ...cost,
    microEur:
      microEurPerUsd === null ? null : divideHalfUp(cost.micro * microEurPerUsd, microPerUnit),
    microEurPerUsd,
  };
}
