import type { ModelPixels } from "@atelier/schemas";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { CallEnded } from "./providers/http/call-ended.ts";
import { kindOf, type ProviderSettings } from "./providers/kinds.ts";

/**
 * Lists the pixels of a model's images, for each of its aspect ratios and sizes.
 *
 * @param settings of its provider; undefined if it is not configured.
 * @returns an empty list when the vendor chooses the pixels.
 */
export function listPixels(
  entry: CatalogueEntry,
  settings: ProviderSettings | undefined,
): ModelPixels[] {
  if (settings === undefined) return [];
  return Object.keys(entry.prices_eur).flatMap((image_size) =>
    entry.aspect_ratios.flatMap((aspect_ratio) => {
      const wanted = {
        model: entry.provider_model,
        aspectRatio: aspect_ratio,
        imageSize: image_size,
      };
      const size = orNull(() => kindOf(settings).pixels(wanted, settings.own));
      return size === null ? [] : [{ aspect_ratio, image_size, ...size }];
    }),
  );
}

/** Null for a size that an adapter refuses. */
function orNull<T>(find: () => T | null): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof CallEnded) return null;
    throw error;
  }
}
