import { readFile } from "node:fs/promises";
import { AppError, formatEur, parseEur, type Model } from "@atelier/schemas";
import * as z from "zod";

const priceEur = z.string().regex(/^\d+(\.\d{1,6})?$/, "must be an amount in EUR such as 0.04");

const entrySchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
    name: z.string().min(1),
    description: z.string().min(1),
    /** Whose adapter makes it; also the lane. */
    provider: z.string().min(1),
    /** The provider's own identifier. */
    provider_model: z.string().min(1),
    /** Drawn by rules and not by a neural network: manifests say so. */
    procedural: z.boolean().default(false),
    supports_multiturn: z.boolean(),
    /** 0 where references are not supported. */
    max_reference_images: z.int().min(0),
    aspect_ratios: z.array(z.string()).min(1),
    default_aspect_ratio: z.string(),
    default_image_size: z.string(),
    /** Price of one image by size. */
    prices_eur: z.record(z.string(), priceEur),
    retires_at: z.iso.datetime().nullable(),
    /** The model to use when this one is retired. */
    successor: z.string().nullable(),
  })
  .refine((entry) => entry.aspect_ratios.includes(entry.default_aspect_ratio), {
    error: "default_aspect_ratio must be one of aspect_ratios",
  })
  .refine((entry) => entry.default_image_size in entry.prices_eur, {
    error: "default_image_size must have a price",
  });

const catalogueSchema = z.strictObject({ models: z.array(entrySchema) });

/** A model, as the operator's data describes it. */
export type CatalogueEntry = z.infer<typeof entrySchema>;

/** The models that can be asked for. */
export interface Catalogue {
  readonly entries: readonly CatalogueEntry[];
  /**
   * The model with an id.
   *
   * @throws AppError `model_not_found`, which names the successor of one that is retired.
   */
  find(id: string): CatalogueEntry;
}

/**
 * Reads the built-in catalogue, and over it an operator's file of the same form: an entry with an id
 * that is known replaces it, others are added.
 *
 * @throws Error that names the file and what is wrong in it.
 */
export async function loadCatalogue(operatorFile?: string): Promise<Catalogue> {
  const builtIn = await readEntries(new URL("../catalogue.json", import.meta.url));
  const own = operatorFile === undefined ? [] : await readEntries(operatorFile);
  return createCatalogue([
    ...builtIn.filter(({ id }) => !own.some((entry) => entry.id === id)),
    ...own,
  ]);
}

/** A catalogue of these models. */
export function createCatalogue(entries: readonly CatalogueEntry[]): Catalogue {
  return {
    entries,
    find(id) {
      const entry = entries.find((candidate) => candidate.id === id);
      if (entry !== undefined && !isRetired(entry)) return entry;
      const next =
        entry?.successor == null
          ? "GET /v1/models lists the models there are."
          : `Use "${entry.successor}" instead.`;
      throw new AppError(
        "model_not_found",
        `There is no model "${id}"${entry === undefined ? "" : " any more"}. ${next}`,
        { details: { model: id, successor: entry?.successor ?? null } },
      );
    },
  };
}

/** A model as `GET /v1/models` shows it. */
export function presentModel(entry: CatalogueEntry): Model {
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
    status: isRetired(entry) ? "retired" : "available",
    retires_at: entry.retires_at,
  };
}

/** What one image of a size costs, in micro-EUR. */
export function priceOf(entry: CatalogueEntry, imageSize: string): bigint {
  return parseEur(entry.prices_eur[imageSize] ?? "");
}

function isRetired(entry: CatalogueEntry): boolean {
  return entry.retires_at !== null && Date.parse(entry.retires_at) <= Date.now();
}

async function readEntries(file: string | URL): Promise<CatalogueEntry[]> {
  try {
    return catalogueSchema.parse(JSON.parse(await readFile(file, "utf8"))).models;
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message;
    throw new Error(`The catalogue of models ${String(file)} cannot be used: ${reason}`, { cause });
  }
}
