import {
  namesOf,
  operations,
  type ImageDemands,
  type ModelCapability,
  type Operation,
} from "@atelier/schemas";
import { isRetired, type Catalogue } from "./catalogue.ts";
import { maxReferencesFor, supportsCapability } from "./capabilities.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { checkParameters } from "./engine-settings.ts";
import { makesExactly } from "./exact-size.ts";
import { priceInBatch, priceOf } from "./prices.ts";

export interface Fallback {
  readonly entry: CatalogueEntry;
  /** Price of all images with the fallback model. */
  readonly priceMicroEur: bigint;
}

/**
 * Finds the model to use instead of one whose provider is unavailable: the first in the catalogue's
 * `fallback` chain that supports the requested aspect ratios, sizes and capabilities, accepts as many
 * references, supports stories if the job is one, and costs no more.
 *
 * @param isUsable whether a model's provider can be called now.
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
    const operation = operationOf(demands);
    const { steps } = demands.parameters ?? {};
    const prices = demands.images.map(({ imageSize }) => {
      const price = priceOf(current, imageSize, { operation, steps });
      return demands.isInBatch === true ? priceInBatch(current, price) : price;
    });
    const priceMicroEur = prices.reduce((sum, price) => sum + price, 0n);
    if (priceMicroEur <= demands.priceMicroEur && isUsable(entry)) return { entry, priceMicroEur };
  }
  return null;
}

/** The operation that determines the price: the one among the capabilities, or else the kind. */
export function operationOf({
  kind,
  capabilities = [],
}: {
  readonly kind: ImageDemands["kind"];
  readonly capabilities?: readonly ModelCapability[] | undefined;
}): Operation {
  return namesOf(operations).find((operation) => capabilities.includes(operation)) ?? kind;
}

function canMake(entry: CatalogueEntry, demands: ImageDemands): boolean {
  const { images, capabilities = [] } = demands;
  const operation = operationOf(demands);
  if (![operation, ...capabilities].every((need) => supportsCapability(entry, need))) return false;
  if (operation === "edit" && entry.requires_mask && !capabilities.includes("mask")) return false;
  if (checkParameters(entry.client_may_set, demands.parameters ?? {}, entry.id).length > 0) {
    return false;
  }
  return images.every(
    ({ aspectRatio, imageSize, pixels = null, referenceImages }) =>
      (pixels === null || makesExactly(entry.sizes, pixels)) &&
      entry.aspect_ratios.includes(aspectRatio) &&
      imageSize in entry.prices_eur &&
      referenceImages <= maxReferencesFor(entry, operation),
  );
}
