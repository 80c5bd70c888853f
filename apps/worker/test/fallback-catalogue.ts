import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Two lanes with a fake provider each. */
export const lanes = { first: "fake-blind", second: "fake-resumable" };

const entry = {
  description: "Answers as a test tells it to.",
  supports_multiturn: true,
  max_reference_images: 5,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  retires_at: null,
  successor: null,
};

/** A model of a catalogue file, at this price for an image of 1K. */
export function fakeModel(
  id: string,
  lane: keyof typeof lanes,
  priceEur: string,
  fallback?: string,
): object {
  return {
    ...entry,
    id,
    name: id,
    provider: lanes[lane],
    provider_model: lane,
    prices_eur: { "1K": priceEur },
    ...(fallback !== undefined && { fallback }),
  };
}

/**
 * Writes a catalogue and a providers file.
 *
 * @param first settings of the first provider beside its kind.
 * @returns the environment that names both files.
 */
export async function writeCatalogue(
  directory: string,
  models: readonly object[],
  first: object = {},
): Promise<Record<string, string>> {
  const CATALOGUE_FILE = join(directory, "catalogue.json");
  const PROVIDERS_FILE = join(directory, "providers.json");
  const kind = "custom";
  const providers = { [lanes.first]: { kind, ...first }, [lanes.second]: { kind } };
  await writeFile(CATALOGUE_FILE, JSON.stringify({ models }));
  await writeFile(PROVIDERS_FILE, JSON.stringify({ providers }));
  return { CATALOGUE_FILE, PROVIDERS_FILE };
}
