import type { ModelPixels } from "@atelier/schemas";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { kindOf, type ProviderSettings } from "./providers/kinds.ts";

/** The largest listed size may be smaller than the limit by this factor, since it is rounded to multiples. */
const rounding = 1.1;

const unusable = "The catalogue of models cannot be used:";

/**
 * Detects presets, parameters, LoRAs and exact sizes of a model that its provider does not take.
 *
 * @param settings of its provider.
 * @param listed the model's pixels by aspect ratio and image size.
 * @throws Error that names the model, the field and what to change.
 */
export function assertEntryTaken(
  entry: CatalogueEntry,
  settings: ProviderSettings,
  listed: readonly ModelPixels[],
): void {
  assertParametersTaken(entry, settings);
  const problem = kindOf(settings).checkEntry?.(entry, settings.own) ?? null;
  if (problem !== null) throw new Error(`${unusable} ${problem}`);
  assertSizesMade(entry, settings, listed);
}

function assertParametersTaken(
  { client_may_set, defaults, id }: CatalogueEntry,
  settings: ProviderSettings,
): void {
  const taken = kindOf(settings).parameters(settings.own);
  for (const [field, values] of Object.entries({ defaults, client_may_set })) {
    const unknown = Object.keys(values).find((name) => !taken.some((known) => known === name));
    if (unknown === undefined) continue;
    const advice = taken.length === 0 ? "it takes none" : `it takes ${taken.join(", ")}`;
    throw new Error(
      `${unusable} ${field}.${unknown} of ${id} is not taken by the provider kind ${settings.kind}; ${advice}.`,
    );
  }
}

/** Detects exact sizes that the provider does not make, or that no listed size has a price for. */
function assertSizesMade(
  { id, sizes, provider_model }: CatalogueEntry,
  settings: ProviderSettings,
  listed: readonly ModelPixels[],
): void {
  if (sizes === null) return;
  if (!kindOf(settings).canSize(provider_model, settings.own)) {
    throw new Error(
      `${unusable} sizes of ${id} are not made by the provider kind ${settings.kind}. Remove them.`,
    );
  }
  const largest = Math.max(...listed.map(({ width, height }) => width * height));
  if (listed.length > 0 && sizes.max_pixels > rounding * largest) {
    throw new Error(
      `${unusable} sizes of ${id} have no price above ${largest} pixels. Lower max_pixels, or add a larger image size to prices_eur.`,
    );
  }
}
