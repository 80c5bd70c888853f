import { readFile } from "node:fs/promises";
import { AppError, formatEur, parseEur, type Model } from "@atelier/schemas";
import * as z from "zod";
import { catalogueEntry, type CatalogueEntry } from "./catalogue-entry.ts";
import type { Providers } from "./provider-settings.ts";

const catalogueSchema = z.strictObject({ models: z.array(catalogueEntry) });

/** The models that can be asked for. */
export interface Catalogue {
  readonly entries: readonly CatalogueEntry[];
  /**
   * The model with an id.
   *
   * @throws AppError `model_not_found`, which names the successor of one that is retired.
   */
  find(id: string): CatalogueEntry;
  /** The model with an id, also when it is retired; null when it is not known. */
  entryOf(id: string): CatalogueEntry | null;
}

/**
 * The models whose providers can be used.
 *
 * @throws Error that names the file and what is wrong in it.
 */
export async function loadCatalogue(
  operatorFile: string | undefined,
  providers: Providers,
): Promise<Catalogue> {
  const { entries } = await readCatalogue(operatorFile, providers);
  return createCatalogue(
    entries.filter(({ provider }) => providers.usable.some(({ name }) => name === provider)),
  );
}

/**
 * All models that are known, whether they can be used or not: the built-in catalogue, the models that
 * the operator names with a provider, and an operator's file of the form of the built-in one. An entry
 * with an id that is known replaces it, others are added.
 *
 * @throws Error that names the file and what is wrong in it.
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
  const catalogue = createCatalogue(all);
  // One that cannot be used now is passed over.
  const others = unusable.flatMap(({ modelIds }) => modelIds);
  assertOthersKnown(catalogue, new Set([...all.map(({ id }) => id), ...others]));
  for (const entry of catalogue.entries) assertFallbacksEnd(entry, catalogue);
  return catalogue;
}

/** A catalogue of these models; the last one of an id counts. */
function createCatalogue(models: readonly CatalogueEntry[]): Catalogue {
  const byId = new Map(models.map((entry) => [entry.id, entry]));
  const entryOf = (id: string) => byId.get(id) ?? null;
  return {
    entries: [...byId.values()],
    entryOf,
    find(id) {
      const entry = entryOf(id);
      if (entry !== null && !isRetired(entry)) return entry;
      const next =
        entry?.successor == null
          ? "GET /v1/models lists the models there are."
          : `Use "${entry.successor}" instead.`;
      throw new AppError(
        "model_not_found",
        `There is no model "${id}"${entry === null ? "" : " any more"}. ${next}`,
        { details: { model: id, successor: entry?.successor ?? null } },
      );
    },
  };
}

/**
 * A model as `GET /v1/models` shows it.
 *
 * @param degraded whether its provider does not answer well at the moment.
 */
export function presentModel(entry: CatalogueEntry, degraded = false): Model {
  return {
    id: entry.id,
    name: entry.name,
    description: entry.description,
    provider: entry.provider,
    supports_multiturn: entry.supports_multiturn,
    supports_references: entry.max_reference_images > 0,
    max_reference_images: entry.max_reference_images,
    aspect_ratios: entry.aspect_ratios,
    image_sizes: Object.keys(entry.prices_eur),
    default_aspect_ratio: entry.default_aspect_ratio,
    default_image_size: entry.default_image_size,
    prices: Object.entries(entry.prices_eur).map(([image_size, eur]) => ({
      image_size,
      eur: formatEur(parseEur(eur)),
    })),
    status: isRetired(entry) ? "retired" : degraded ? "degraded" : "available",
    retires_at: entry.retires_at,
  };
}

/** What one image of a size costs, in micro-EUR. */
export function priceOf(entry: CatalogueEntry, imageSize: string): bigint {
  return parseEur(entry.prices_eur[imageSize] ?? "");
}

/** Whether a model is not made any more. */
export function isRetired(entry: CatalogueEntry): boolean {
  return entry.retires_at !== null && Date.parse(entry.retires_at) <= Date.now();
}

/** A misspelt fallback would show only when it is needed. */
function assertOthersKnown({ entries }: Catalogue, known: ReadonlySet<string>): void {
  const problems = entries.flatMap(({ id, fallback, successor }) =>
    Object.entries({ fallback, successor }).flatMap(([field, other]) =>
      other === null || known.has(other) ? [] : [`${field} "${other}" of ${id}`],
    ),
  );
  if (problems.length === 0) return;
  throw new Error(
    `The catalogue of models cannot be used: there is no model for the ${problems.join(", nor for the ")}.`,
  );
}

/** Falling back again and again must come to an end. */
function assertFallbacksEnd(entry: CatalogueEntry, catalogue: Catalogue): void {
  const passed = [entry.id];
  for (let next = entry.fallback; next !== null;) {
    if (passed.includes(next)) {
      throw new Error(
        `The catalogue of models cannot be used: the fallbacks ${[...passed, next].join(" → ")} go in a circle.`,
      );
    }
    passed.push(next);
    next = catalogue.entryOf(next)?.fallback ?? null;
  }
}

async function readEntries(file: string | URL): Promise<CatalogueEntry[]> {
  try {
    return catalogueSchema.parse(JSON.parse(await readFile(file, "utf8"))).models;
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message;
    throw new Error(`The catalogue of models ${String(file)} cannot be used: ${reason}`, { cause });
  }
}
