import {
  priceCall,
  type CatalogueEntry,
  type ProviderOutcome,
  type VendorUsage,
} from "@atelier/models";
import { parseEur, type Operation } from "@atelier/schemas";

/** The cost of a call. */
export interface CallSpend {
  /** In millionths of the currency; null if the vendor states nothing that has a price. */
  readonly micro: bigint | null;
  /** Cost by the catalogue's price, if the vendor stated a cost as well. */
  readonly computedMicro: bigint | null;
  readonly units: Readonly<Record<string, number>>;
}

/** The facts of a call that its price depends on. */
export interface CalledOperation {
  readonly operation: Operation;
  readonly references: number;
  readonly pixels: { readonly width: number; readonly height: number } | null;
}

/** Prices a call in the vendor's currency. */
export function spendOf(
  entry: CatalogueEntry,
  outcome: ProviderOutcome["kind"],
  usage: VendorUsage,
  called: CalledOperation,
): CallSpend {
  const facts = {
    outcome,
    operation: called.operation,
    imageSize: entry.default_image_size,
    references: called.references,
    steps: entry.defaults.steps ?? null,
    pixels: called.pixels,
  };
  const { micro, units } = priceCall(entry, { ...facts, usage }, null);
  const { cost: stated, ...counted } = usage;
  const computed =
    stated === undefined ? null : priceCall(entry, { ...facts, usage: counted }, null);
  return { micro, computedMicro: computed?.micro ?? null, units };
}

/**
 * The most that a call is expected to cost: the dearest of the model's prices for clients, which are above
 * the vendor's and are taken as amounts in its currency, and of the calls so far.
 */
export function expectedMicro(entry: CatalogueEntry, highestMicro: bigint): bigint {
  const prices = [entry.prices_eur, ...Object.values(entry.operation_prices_eur)].flatMap(
    (bySize) => {
      const price = bySize[entry.default_image_size];
      return price === undefined ? [] : [parseEur(price)];
    },
  );
  return prices.reduce((most, price) => (price > most ? price : most), highestMicro);
}
