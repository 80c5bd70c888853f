import type { ImageDemands } from "@atelier/schemas";
import { isRetired, priceOf, type Catalogue } from "./catalogue.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";

export interface Fallback {
  readonly entry: CatalogueEntry;
  /** What all images cost with it. */
  readonly priceMicroEur: bigint;
}

/**
 * The model that makes the images of another whose provider is unavailable: the first along the
 * catalogue's `fallback` that has their aspect ratios and sizes, looks at as many references, makes
 * stories where it is one, and costs no more.
 *
 * @param isUsable whether the provider of a model can be asked now.
 */
export function findFallback(
  catalogue: Catalogue,
  modelId: string,
  demands: ImageDemands,
  isUsable: (entry: CatalogueEntry) => boolean,
): Fallback | null {
  const fallbackOf = (entry: CatalogueEntry | null) =>
    entry?.fallback == null ? null : catalogue.entryOf(entry.fallback);
  for (let entry = fallbackOf(catalogue.entryOf(modelId)); entry; entry = fallbackOf(entry)) {
    if (isRetired(entry) || !canMake(entry, demands)) continue;
    const current = entry;
    const prices = demands.images.map(({ imageSize }) => priceOf(current, imageSize));
    const priceMicroEur = prices.reduce((sum, price) => sum + price, 0n);
    if (priceMicroEur <= demands.priceMicroEur && isUsable(entry)) return { entry, priceMicroEur };
  }
  return null;
}

function canMake(entry: CatalogueEntry, { kind, images }: ImageDemands): boolean {
  if (kind === "story" && !entry.supports_multiturn) return false;
  return images.every(
    ({ aspectRatio, imageSize, referenceImages }) =>
      entry.aspect_ratios.includes(aspectRatio) &&
      imageSize in entry.prices_eur &&
      referenceImages <= entry.max_reference_images,
  );
}
