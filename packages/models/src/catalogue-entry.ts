import * as z from "zod";

const priceEur = z.string().regex(/^\d+(\.\d{1,6})?$/, "must be an amount in EUR such as 0.04");

/** What is known of a model, as it stands in a catalogue. */
export const catalogueEntry = z
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
    /** Whether a call that the provider's policy refuses costs the operator something. */
    charges_for_refusals: z.boolean().default(false),
    retires_at: z.iso.datetime().nullable(),
    /** The model to use when this one is retired. */
    successor: z.string().nullable(),
    /** The model that makes its images when its provider is unavailable; none when left out. */
    fallback: z.string().nullable().default(null),
  })
  .refine((entry) => entry.aspect_ratios.includes(entry.default_aspect_ratio), {
    error: "default_aspect_ratio must be one of aspect_ratios",
  })
  .refine((entry) => entry.default_image_size in entry.prices_eur, {
    error: "default_image_size must have a price",
  });

/** A model, as the operator's data describes it. */
export type CatalogueEntry = z.infer<typeof catalogueEntry>;
