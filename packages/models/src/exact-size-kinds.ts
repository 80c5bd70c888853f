import type { ModelPixels } from "@atelier/schemas";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import type { Protocol } from "./pixels.ts";
import { makesExactSizes } from "./providers/described/traits.ts";
import { sendsExactSize } from "./providers/kind-traits.ts";

/** The largest listed size may be smaller than the limit by this factor, since it is rounded to multiples. */
const rounding = 1.1;

/**
 * Detects exact sizes that the provider of a model does not make, or that no listed size has a price for.
 *
 * @param protocol undefined for a provider that is not usable.
 * @param listed the model's pixels by aspect ratio and image size.
 * @throws Error that names the model and what to change.
 */
export function assertSizesMade(
  { id, sizes, provider_model }: CatalogueEntry,
  protocol: Protocol | undefined,
  listed: readonly ModelPixels[],
): void {
  if (sizes === null || protocol === undefined) return;
  const { description, kind } = protocol;
  const unusable = `The catalogue of models cannot be used: sizes of ${id}`;
  const isSent =
    description === null
      ? sendsExactSize(kind, provider_model)
      : makesExactSizes(description, provider_model);
  if (!isSent) {
    throw new Error(`${unusable} are not made by the provider kind ${kind}. Remove them.`);
  }
  const largest = Math.max(...listed.map(({ width, height }) => width * height));
  if (listed.length > 0 && sizes.max_pixels > rounding * largest) {
    throw new Error(
      `${unusable} have no price above ${largest} pixels. Lower max_pixels, or add a larger image size to prices_eur.`,
    );
  }
}
