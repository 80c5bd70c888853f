import { formatEur, parseEur } from "@atelier/schemas";
import * as z from "zod";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { readJsonText } from "./read-json-file.ts";
import { currencies } from "./vendor-usage.ts";

const amount = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, "must be an amount in text such as 0.04")
  .transform(parseEur);

const priceListSchema = z.strictObject({
  currency: z.enum(currencies),
  /** The day of the prices, and where they are from. */
  as_of: z.iso.date(),
  source: z.string().min(1),
  /** Prices of one image by size. The key is a model's id, or `<provider>:<provider_model>`. */
  models: z.record(z.string(), z.record(z.string(), amount)),
});
type PriceList = z.infer<typeof priceListSchema>;

/** A price of the catalogue beside what the vendor charges for it. */
interface ComparedPrice {
  /** The model's id, or the key of the list for a model that the catalogue lacks. */
  readonly model: string;
  readonly image_size: string;
  /** The catalogue's price in EUR; null if it has none. */
  readonly price_eur: string | null;
  /** The vendor's price in EUR; null if it is in USD and no rate is known. */
  readonly vendor_eur: string | null;
  /** Share of the price that is left, in percent; null if one of the prices is unknown. */
  readonly margin_percent: number | null;
  readonly prices_as_of: string | null;
  readonly status:
    /** The price covers what the vendor charges. */
    | "covered"
    /** The vendor charges more. */
    | "loss"
    /** In the list, and not in the catalogue. */
    | "not in catalogue"
    /** A list in USD without a rate. */
    | "no rate";
}

/** How a catalogue compares with a price list. */
export interface PriceComparison {
  readonly as_of: string;
  readonly source: string;
  readonly prices: readonly ComparedPrice[];
  /** Models whose prices are older than the list. */
  readonly older: readonly string[];
  /** Models with a vendor that the list does not name. */
  readonly unlisted: readonly string[];
}

/**
 * Parses a price list.
 *
 * @param name of the file, for messages.
 * @throws Error that names each mistake with its position.
 */
export function readPriceList(text: string, name: string): PriceList {
  return readJsonText(text, priceListSchema, name);
}

/** One of a currency, in its micro-units. */
const one = 1_000_000n;

/**
 * Compares the prices of models with those of a list.
 *
 * @param microEurPerUsd exchange rate; null if unknown.
 */
export function comparePrices(
  entries: readonly CatalogueEntry[],
  list: PriceList,
  microEurPerUsd: bigint | null,
): PriceComparison {
  const rate = list.currency === "EUR" ? one : microEurPerUsd;
  const keysOf = ({ id, provider, provider_model: model }: CatalogueEntry) => [
    id,
    `${provider}:${model}`,
  ];
  const listed = (entry: CatalogueEntry) => keysOf(entry).find((key) => key in list.models);
  const prices = Object.entries(list.models).flatMap(([key, sizes]) => {
    const matching = entries.filter((entry) => keysOf(entry).includes(key));
    const models = matching.length === 0 ? [null] : matching;
    return models.flatMap((entry) =>
      Object.entries(sizes).map(([size, price]) => compare(entry, key, size, price, rate)),
    );
  });
  const priced = entries.filter((entry) => listed(entry) !== undefined);
  return {
    as_of: list.as_of,
    source: list.source,
    prices,
    older: priced
      .filter(({ prices_as_of: day }) => day === null || day < list.as_of)
      .map(({ id }) => id),
    unlisted: entries
      .filter((entry) => entry.prices_as_of !== null && listed(entry) === undefined)
      .map(({ id }) => id),
  };
}

function compare(
  entry: CatalogueEntry | null,
  key: string,
  size: string,
  vendorMicro: bigint,
  rate: bigint | null,
): ComparedPrice {
  const ours = entry?.prices_eur[size];
  const micro = ours === undefined ? null : parseEur(ours);
  // Rounded up: a price that covers the rounded cost covers the cost.
  const cost = rate === null ? null : (vendorMicro * rate + one - 1n) / one;
  return {
    model: entry?.id ?? key,
    image_size: size,
    price_eur: micro === null ? null : formatEur(micro),
    vendor_eur: cost === null ? null : formatEur(cost),
    margin_percent:
      micro === null || cost === null || micro === 0n
        ? null
        : Number(((micro - cost) * 1_000n) / micro) / 10,
    prices_as_of: entry?.prices_as_of ?? null,
    status:
      micro === null
        ? "not in catalogue"
        : cost === null
          ? "no rate"
          : micro < cost
            ? "loss"
            : "covered",
  };
}
