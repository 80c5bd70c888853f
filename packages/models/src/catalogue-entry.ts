import { maxImages, maxResultPixels, operation, type Operation } from "@atelier/schemas";
import * as z from "zod";
import { engineBounds, engineDefaults, findPresetProblem } from "./engine-settings.ts";
import { findStepPriceProblem } from "./prices.ts";
import { vendorPrice } from "./vendor-price.ts";

const priceEur = z.string().regex(/^\d+(\.\d{1,6})?$/, "must be an amount in EUR such as 0.04");

const pricesBySize = z.record(z.string(), priceEur);

/** Sizes in pixels that a model makes exactly: both edges, and their product. */
const exactSizes = z
  .strictObject({
    multiple_of: z.int().positive(),
    min: z.int().positive(),
    max: z.int().positive().max(16_384),
    max_pixels: z.int().positive().max(maxResultPixels),
  })
  .refine(({ multiple_of: step, min, max }) => min % step === 0 && max % step === 0 && min <= max, {
    error: "min and max must be multiples of multiple_of, and min at most max",
  })
  .refine(({ min, max_pixels }) => min * min <= max_pixels, {
    error: "max_pixels must be at least min × min",
  });
export type ExactSizes = z.infer<typeof exactSizes>;

/** A model as a catalogue describes it. */
export const catalogueEntry = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
    name: z.string().min(1),
    description: z.string().min(1),
    /** Name of the provider, which is also the name of its lane. */
    provider: z.string().min(1),
    /** The provider's own model identifier. */
    provider_model: z.string().min(1),
    /**
     * Whether images are drawn procedurally instead of by a neural network; manifests declare it.
     */
    procedural: z.boolean().default(false),
    supports_multiturn: z.boolean(),
    /** Default: images and scenes, and stories if `supports_multiturn`. */
    operations: z.array(operation).min(1).optional(),
    /** Whether an edit can be limited by a mask. */
    supports_mask: z.boolean().default(false),
    /** Whether an edit needs a mask. */
    requires_mask: z.boolean().default(false),
    /** Whether an edit can have hints that are drawn over its image. */
    supports_markup: z.boolean().default(false),
    supports_seed: z.boolean().default(false),
    supports_negative_prompt: z.boolean().default(false),
    /** Whether it can make images with a transparent background. */
    supports_transparency: z.boolean().default(false),
    /** Whether its results include an SVG file. */
    supports_svg: z.boolean().default(false),
    /** Images per request; each is one call. */
    max_n: z.int().min(1).max(maxImages).default(maxImages),
    /** Presets of the engine: steps, guidance, sampler, scheduler, LoRAs and fields sent as is. */
    defaults: engineDefaults.default({}),
    /** Options of the engine that requests may set, with their bounds. */
    client_may_set: engineBounds.default({}),
    /** Tags that a server of `base_urls` needs to make it; default: every server makes it. */
    server_tags: z.array(z.string().min(1)).default([]),
    /** 0 when references are not supported. */
    max_reference_images: z.int().min(0),
    aspect_ratios: z.array(z.string()).min(1),
    default_aspect_ratio: z.string(),
    default_image_size: z.string(),
    /** The sizes in pixels that it makes exactly; null when it takes none. */
    sizes: exactSizes.nullable().default(null),
    /** Price of one image by size. */
    prices_eur: pricesBySize,
    /** Prices of operations that differ from `prices_eur`, by size. */
    operation_prices_eur: z.partialRecord(operation, pricesBySize).default({}),
    /**
     * The amount that each step more or fewer than `defaults.steps` adds to or takes from the price, by size.
     * Default: the price does not depend on the steps.
     */
    price_per_step: pricesBySize.optional(),
    /** The part of the price that a request of a batch costs. */
    batch_price_factor: z.number().min(0.01).max(1).multipleOf(0.01).default(1),
    /** The day on which the prices were set, and the source of the vendor's prices. */
    prices_as_of: z.iso.date().nullable().default(null),
    prices_source: z.string().min(1).nullable().default(null),
    /** The price that the vendor charges the operator; null if unknown. */
    vendor_price: vendorPrice.nullable().default(null),
    /** Whether the operator pays for calls that the provider's policy refuses. */
    charges_for_refusals: z.boolean().default(false),
    /** Since when new programs should not use the model. */
    deprecated_at: z.iso.datetime().nullable().default(null),
    /** When its requests are refused. */
    retires_at: z.iso.datetime().nullable(),
    /** The model to use when this one is retired. */
    successor: z.string().nullable(),
    /** The model to use while this model's provider is unavailable. Default null: no fallback. */
    fallback: z.string().nullable().default(null),
  })
  .refine((entry) => entry.aspect_ratios.includes(entry.default_aspect_ratio), {
    error: "default_aspect_ratio must be one of aspect_ratios",
  })
  .refine((entry) => entry.default_image_size in entry.prices_eur, {
    error: "default_image_size must have a price",
  })
  .refine(
    ({ deprecated_at: deprecated, retires_at: retires }) =>
      deprecated === null || retires === null || Date.parse(deprecated) <= Date.parse(retires),
    { error: "deprecated_at must not be after retires_at" },
  )
  .refine(
    ({ operations: listed, supports_multiturn }) =>
      listed === undefined || listed.includes("story") === supports_multiturn,
    { error: "operations must include story if supports_multiturn is true, and only then" },
  )
  .refine(
    ({ operations: listed, supports_mask }) =>
      !supports_mask || (listed !== undefined && listed.includes("edit")),
    { error: "operations must include edit if supports_mask is true" },
  )
  .refine(
    ({ operations: listed = [], supports_markup }) => !supports_markup || listed.includes("edit"),
    { error: "operations must include edit if supports_markup is true" },
  )
  .refine(({ requires_mask, supports_mask }) => !requires_mask || supports_mask, {
    error: "supports_mask must be true if requires_mask is true",
  })
  .refine(
    ({ operations: listed = [], max_reference_images }) =>
      !listed.includes("combine") || max_reference_images >= 2,
    { error: "max_reference_images must be at least 2 if operations include combine" },
  )
  .refine(
    (entry) =>
      Object.values(entry.operation_prices_eur).every((prices) =>
        Object.keys(entry.prices_eur).every((size) => size in prices),
      ),
    { error: "operation_prices_eur must have a price for each size of prices_eur" },
  )
  .superRefine((entry, context) => {
    const problem =
      findPresetProblem(entry.client_may_set, entry.defaults) ?? findStepPriceProblem(entry);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  })
  .transform((entry) => ({
    ...entry,
    operations: entry.operations ?? defaultOperations(entry.supports_multiturn),
  }));

function defaultOperations(supportsMultiturn: boolean): Operation[] {
  return supportsMultiturn ? ["image", "story", "scene"] : ["image", "scene"];
}

/** A model, as described by the operator's data. */
export type CatalogueEntry = z.infer<typeof catalogueEntry>;
