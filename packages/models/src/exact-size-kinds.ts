import type { ModelPixels } from "@atelier/schemas";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import type { ProviderKind } from "./provider-settings.ts";

/** The models whose adapters send an exact size, by the kind of their provider. */
const sizedBy: Partial<Record<ProviderKind, (model: string) => boolean>> = {
  builtin: () => true,
  "openai-compatible": () => true,
  sdcpp: () => true,
  comfyui: () => true,
  automatic1111: () => true,
  bfl: (model) => model.startsWith("flux-2-"),
  fal: (model) => model.startsWith("fal-ai/flux-2"),
};

/** The largest listed size may be smaller than the limit by this factor, since it is rounded to multiples. */
const rounding = 1.1;

/**
 * Detects exact sizes that the provider of a model does not make, or that no listed size has a price for.
 *
 * @param kind undefined for a provider that is not usable.
 * @param listed the model's pixels by aspect ratio and image size.
 * @throws Error that names the model and what to change.
 */
export function assertSizesMade(
  { id, sizes, provider_model }: CatalogueEntry,
  kind: ProviderKind | undefined,
  listed: readonly ModelPixels[],
): void {
  if (sizes === null || kind === undefined) return;
  const unusable = `The catalogue of models cannot be used: sizes of ${id}`;
  if (sizedBy[kind]?.(provider_model) !== true) {
    throw new Error(`${unusable} are not made by the provider kind ${kind}. Remove them.`);
  }
  const largest = Math.max(...listed.map(({ width, height }) => width * height));
  if (listed.length > 0 && sizes.max_pixels > rounding * largest) {
    throw new Error(
      `${unusable} have no price above ${largest} pixels. Lower max_pixels, or add a larger image size to prices_eur.`,
    );
  }
}
