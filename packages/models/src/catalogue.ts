import { readFile } from "node:fs/promises";
import { AppError, maxReferenceImages, type Model, type ModelPixels } from "@atelier/schemas";
import * as z from "zod";
import { catalogueEntry, type CatalogueEntry } from "./catalogue-entry.ts";
import { assertEntryTaken } from "./check-entry.ts";
import { describeParameters } from "./engine-settings.ts";
import { listPixels } from "./pixels.ts";
import { presentPrices } from "./prices.ts";
import type { Providers } from "./provider-settings.ts";
import type { ProviderSettings } from "./providers/kinds.ts";
import { readJsonText } from "./read-json-file.ts";
import { assertTagsServed } from "./server-settings.ts";

const catalogueSchema = z.strictObject({ models: z.array(catalogueEntry) });

/** The models that clients can request. */
export interface Catalogue {
  readonly entries: readonly CatalogueEntry[];
  /**
   * Finds a model by its id.
   *
   * @throws AppError `model_not_found`; for a retired model it names the successor.
   */
  find(id: string): CatalogueEntry;
  /** Finds a model by its id, including retired models; null for an unknown id. */
  entryOf(id: string): CatalogueEntry | null;
  /** The pixels of a model's images by aspect ratio and size; empty when its vendor chooses them. */
  pixelsOf(id: string): readonly ModelPixels[];
  /** Ids of known models whose providers are not usable. */
  readonly unusableIds: ReadonlySet<string>;
}

/**
 * Loads the models whose providers are configured.
 *
 * @throws Error that names the file and each problem in it.
 */
export async function loadCatalogue(
  operatorFile: string | undefined,
  providers: Providers,
): Promise<Catalogue> {
  const { entries } = await readCatalogue(operatorFile, providers);
  const names = new Set(providers.usable.map(({ name }) => name));
  return createCatalogue(
    entries.filter(({ provider }) => names.has(provider)),
    byName(providers.usable),
    new Set([
      ...entries.filter(({ provider }) => !names.has(provider)).map(({ id }) => id),
      ...providers.unusable.flatMap(({ modelIds }) => modelIds),
    ]),
  );
}

/**
 * Reads all known models, usable or not: the built-in catalogue, the models that the operator lists
 * with a provider, and an operator's file in the format of the built-in catalogue. An entry with an
 * existing id replaces it; other entries are added.
 *
 * @throws Error that names the file and each problem in it.
 */
export async function readCatalogue(
  operatorFile: string | undefined,
  { usable, unusable }: Providers,
): Promise<Catalogue> {
  const all = [
    ...(await readEntries(new URL("../catalogue.json", import.meta.url))),
    ...usable.flatMap(({ models }) => models),
    ...(operatorFile === undefined ? [] : await readEntries(operatorFile)),
  ];
  const settings = byName(usable);
  const catalogue = createCatalogue(all, settings);
  // Skip models whose provider is not usable.
  const others = unusable.flatMap(({ modelIds }) => modelIds);
  assertReferencesKnown(catalogue, new Set([...all.map(({ id }) => id), ...others]));
  for (const entry of catalogue.entries) {
    const provider = settings.get(entry.provider);
    if (provider !== undefined) assertEntryTaken(entry, provider, catalogue.pixelsOf(entry.id));
    assertTagsServed(entry, provider?.servers);
  }
  for (const entry of catalogue.entries) assertFallbacksAcyclic(entry, catalogue);
  return catalogue;
}

function byName(usable: Providers["usable"]): ReadonlyMap<string, ProviderSettings> {
  return new Map(usable.map((settings) => [settings.name, settings]));
}

/** Builds a catalogue; when ids repeat, the last entry wins. */
function createCatalogue(
  models: readonly CatalogueEntry[],
  providers: ReadonlyMap<string, ProviderSettings>,
  unusableIds: ReadonlySet<string> = new Set(),
): Catalogue {
  const byId = new Map(models.map((entry) => [entry.id, entry]));
  const entryOf = (id: string) => byId.get(id) ?? null;
  const pixels = new Map(
    Array.from(byId, ([id, entry]) => [id, listPixels(entry, providers.get(entry.provider))]),
  );
  return {
    entries: [...byId.values()],
    entryOf,
    pixelsOf: (id) => pixels.get(id) ?? [],
    unusableIds,
    find(id) {
      const entry = entryOf(id);
      if (entry !== null && !isRetired(entry)) return entry;
      const next =
        entry?.successor == null
          ? "GET /v1/models lists the available models."
          : `Use "${entry.successor}" instead.`;
      throw new AppError(
        "model_not_found",
        `Model "${id}" ${entry === null ? "does not exist" : "is retired"}. ${next}`,
        { details: { successor: entry?.successor ?? null } },
      ).at("model");
    },
  };
}

/**
 * A model as `GET /v1/models` returns it.
 *
 * @param pixels of its images.
 * @param degraded whether the provider currently fails or responds slowly.
 */
export function presentModel(
  entry: CatalogueEntry,
  pixels: readonly ModelPixels[],
  degraded = false,
): Model {
  return {
    id: entry.id,
    name: entry.name,
    description: entry.description,
    provider: entry.provider,
    supports_multiturn: entry.supports_multiturn,
    supports_references: entry.max_reference_images > 0,
    // The catalogue's limit includes images that stories add; a request may contain fewer.
    max_reference_images: Math.min(entry.max_reference_images, maxReferenceImages),
    operations: entry.operations,
    supports_edit: entry.operations.includes("edit"),
    supports_mask: entry.supports_mask,
    supports_markup: entry.supports_markup,
    supports_combine: entry.operations.includes("combine"),
    supports_seed: entry.supports_seed,
    supports_negative_prompt: entry.supports_negative_prompt,
    supports_transparency: entry.supports_transparency,
    supports_svg: entry.supports_svg,
    max_n: entry.max_n,
    parameters: describeParameters(entry.client_may_set, entry.defaults),
    aspect_ratios: entry.aspect_ratios,
    image_sizes: Object.keys(entry.prices_eur),
    default_aspect_ratio: entry.default_aspect_ratio,
    default_image_size: entry.default_image_size,
    pixels: [...pixels],
    sizes: entry.sizes,
    prices: presentPrices(entry),
    batch_price_factor: entry.batch_price_factor,
    status: isRetired(entry) ? "retired" : degraded ? "degraded" : "available",
    deprecated_at: entry.deprecated_at,
    retires_at: entry.retires_at,
    successor: entry.successor,
  };
}

/** The models that their providers have under a name, in any case, and that are not retired. */
export function entriesNamed(
  name: string,
  { entries }: Pick<Catalogue, "entries">,
): readonly CatalogueEntry[] {
  const wanted = name.toLowerCase();
  return entries.filter(
    (entry) => entry.provider_model.toLowerCase() === wanted && !isRetired(entry),
  );
}

/** Whether a model is retired. */
export function isRetired(entry: CatalogueEntry): boolean {
  return entry.retires_at !== null && Date.parse(entry.retires_at) <= Date.now();
}

/** Detects a misspelt fallback at start, before it is needed. */
function assertReferencesKnown({ entries }: Catalogue, known: ReadonlySet<string>): void {
  const problems = entries.flatMap(({ id, fallback, successor }) =>
    Object.entries({ fallback, successor }).flatMap(([field, other]) =>
      other === null || known.has(other) ? [] : [`${field} "${other}" of ${id}`],
    ),
  );
  if (problems.length === 0) return;
  throw new Error(
    `The catalogue of models cannot be used: unknown models: ${problems.join(", ")}.`,
  );
}

/** Rejects cyclic fallbacks. */
function assertFallbacksAcyclic(entry: CatalogueEntry, catalogue: Catalogue): void {
  const chain = [entry.id];
  for (let next = entry.fallback; next !== null;) {
    if (chain.includes(next)) {
      throw new Error(
        `The catalogue of models cannot be used: the fallbacks ${[...chain, next].join(" → ")} form a cycle.`,
      );
    }
    chain.push(next);
    next = catalogue.entryOf(next)?.fallback ?? null;
  }
}

async function readEntries(file: string | URL): Promise<CatalogueEntry[]> {
  const name = `The catalogue of models ${String(file)}`;
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${name} cannot be used: ${(cause as Error).message}`, { cause });
  });
  return readJsonText(text, catalogueSchema, name).models;
}
