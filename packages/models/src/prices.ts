import { formatEur, parseEur, type Operation } from "@atelier/schemas";
import type { EngineBounds, EngineDefaults } from "./engine-settings.ts";

/** EUR by image size. */
type Prices = Readonly<Record<string, string>>;

/** The part of a model's entry that its prices depend on. */
interface PricedEntry {
  readonly prices_eur: Prices;
  readonly operation_prices_eur: Readonly<Partial<Record<Operation, Prices>>>;
  readonly price_per_step?: Prices | undefined;
  readonly defaults: Pick<EngineDefaults, "steps">;
  readonly client_may_set: Pick<EngineBounds, "steps">;
}

/** Price of one image of a size, in micro-EUR. */
export function priceOf(
  entry: PricedEntry,
  imageSize: string,
  {
    operation = "image",
    steps,
  }: { readonly operation?: Operation; readonly steps?: number | undefined } = {},
): bigint {
  const prices = entry.operation_prices_eur[operation] ?? entry.prices_eur;
  return parseEur(prices[imageSize] ?? "") + priceOfSteps(entry, imageSize, steps);
}

/** Price of an image in a batch, whose price is `priceMicroEur` otherwise, rounded down. */
export function priceInBatch(
  { batch_price_factor: factor }: { readonly batch_price_factor: number },
  priceMicroEur: bigint,
): bigint {
  return (priceMicroEur * BigInt(Math.round(factor * 100))) / 100n;
}

/** Returns the change of the price by the steps of a request; the price is that of the preset. */
function priceOfSteps(entry: PricedEntry, imageSize: string, steps: number | undefined): bigint {
  const perStep = entry.price_per_step?.[imageSize];
  const preset = entry.defaults.steps;
  if (steps === undefined || perStep === undefined || preset === undefined) return 0n;
  return parseEur(perStep) * BigInt(steps - preset);
}

/** How steps change the price of an image; null when they do not. */
export function explainSteps(
  entry: PricedEntry,
  imageSize: string,
  steps: number | undefined,
): { readonly requested: number; readonly included: number; readonly eur_per_step: string } | null {
  const perStep = entry.price_per_step?.[imageSize];
  const included = entry.defaults.steps;
  if (steps === undefined || perStep === undefined || included === undefined) return null;
  return { requested: steps, included, eur_per_step: formatEur(parseEur(perStep)) };
}

/** The prices of a model as `GET /v1/models` returns them. */
export function presentPrices(entry: PricedEntry) {
  const present = (prices: Prices) =>
    Object.entries(prices).map(([image_size, eur]) => {
      const perStep = entry.price_per_step?.[image_size];
      return {
        image_size,
        eur: formatEur(parseEur(eur)),
        ...(perStep === undefined ? {} : { eur_per_step: formatEur(parseEur(perStep)) }),
      };
    });
  return [
    ...present(entry.prices_eur),
    ...Object.entries(entry.operation_prices_eur).flatMap(([operation, prices]) =>
      present(prices).map((price) => ({ operation: operation as Operation, ...price })),
    ),
  ];
}

/** Explains why the price per step of an entry cannot be used; null if it can be, or is not set. */
export function findStepPriceProblem(entry: PricedEntry): string | null {
  const { client_may_set: bounds, defaults, operation_prices_eur, prices_eur } = entry;
  if (entry.price_per_step === undefined) return null;
  if (defaults.steps === undefined || bounds.steps === undefined) {
    return "price_per_step needs defaults.steps, which prices_eur is for, and client_may_set.steps";
  }
  const sizes = Object.keys(prices_eur);
  const stated = Object.keys(entry.price_per_step);
  if (sizes.length !== stated.length || !sizes.every((size) => stated.includes(size))) {
    return `price_per_step must have a price for each size of prices_eur: ${sizes.join(", ")}`;
  }
  const steps = bounds.steps.min;
  const operations = ["image", ...Object.keys(operation_prices_eur)] as Operation[];
  for (const operation of operations) {
    for (const size of sizes) {
      if (priceOf(entry, size, { operation, steps }) < 0n) {
        return `price_per_step makes the price of ${operation} at ${size} negative with ${steps} steps, the fewest of client_may_set`;
      }
    }
  }
  return null;
}
