import type { EngineParameter, Operation } from "@atelier/schemas";
import { catalogueEntry } from "../catalogue-entry.ts";
import type { EngineBounds, EngineDefaults } from "../engine-settings.ts";
import { engineDefaults } from "../engine-settings.ts";

/** A server's statement about one of its models. */
export interface FoundModel {
  /** The server's own name of the model. */
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly maxReferenceImages: number;
  readonly supportsMask: boolean;
  readonly supportsNegativePrompt: boolean;
  /** The options that the server takes. Those without a known preset or list are left out. */
  readonly parameters: readonly EngineParameter[];
  /** Values that the server uses by itself. Those that an entry cannot have are left out. */
  readonly presets: Readonly<Partial<Record<Exclude<EngineParameter, "loras">, unknown>>>;
  readonly samplers: readonly string[];
  readonly schedulers: readonly string[];
  readonly loras: readonly string[];
  /** LoRAs of one request. */
  readonly maxLoras: number;
}

/** A model's entry for the `models` of its provider, as JSON. */
export type DiscoveredEntry = Readonly<Record<string, unknown>> & { readonly id: string };

/** Exact sizes that diffusion models make, up to the pixels of 1K, which has the price. */
const sizes = { multiple_of: 64, min: 512, max: 2_048, max_pixels: 1_048_576 };

/** The bounds of clients on a server that takes steps and guidance and does not say its own. */
const usualBounds = { steps: { min: 1, max: 50 }, guidance: { min: 1, max: 20 } };

const aspectRatios = ["1:1", "4:3", "3:4", "3:2", "2:3", "16:9", "9:16"];

/**
 * Describes the models of a server as entries that the catalogue accepts.
 *
 * @param provider name of the provider.
 * @param priceEur price of one image of 1K.
 */
export function describeEntries(
  found: readonly FoundModel[],
  provider: string,
  priceEur: string,
): DiscoveredEntry[] {
  const used = new Set<string>();
  return found.map((model) => {
    const entry = { ...describe(model, priceEur), id: findFreeId(model.name, used) };
    // A server's names must not make an entry that the next start refuses.
    catalogueEntry.parse({ ...entry, provider });
    return entry;
  });
}

/** An id of lower-case letters, digits, dots and dashes that no other model of the server has. */
function findFreeId(name: string, used: Set<string>): string {
  const words = name
    .toLowerCase()
    .replace(/\.(safetensors|gguf|ckpt|json)$/, "")
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, "");
  const base = words === "" ? "model" : words;
  let id = base;
  for (let number = 2; used.has(id); number += 1) id = `${base}-${number}`;
  used.add(id);
  return id;
}

function describe(model: FoundModel, priceEur: string) {
  const defaults = presetsOf(model);
  return {
    id: "",
    name: model.name,
    description: model.description,
    provider_model: model.name,
    supports_multiturn: model.operations.includes("story"),
    operations: model.operations,
    supports_mask: model.supportsMask,
    supports_seed: true,
    supports_negative_prompt: model.supportsNegativePrompt,
    max_reference_images: model.maxReferenceImages,
    defaults,
    client_may_set: boundsOf(model, defaults),
    aspect_ratios: aspectRatios,
    default_aspect_ratio: "1:1",
    default_image_size: "1K",
    // An edit has the size of its image.
    ...(model.operations.includes("image") && { sizes }),
    prices_eur: { "1K": priceEur },
    retires_at: null,
    successor: null,
  };
}

/** The server's own values, as far as they are valid and within what clients may choose. */
function presetsOf({ parameters, presets, samplers, schedulers }: FoundModel): EngineDefaults {
  const listed = { sampler: samplers, scheduler: schedulers };
  const taken = Object.entries(presets).filter(
    ([name, value]) =>
      parameters.some((parameter) => parameter === name) &&
      engineDefaults.safeParse({ [name]: value }).success &&
      (!(name in listed) || listed[name as keyof typeof listed].some((one) => one === value)),
  );
  return engineDefaults.parse(Object.fromEntries(taken));
}

/** Half to twice the server's own steps and guidance, and all names that it knows. */
function boundsOf(model: FoundModel, { guidance, steps }: EngineDefaults): EngineBounds {
  const { parameters, presets, samplers, schedulers, maxLoras } = model;
  // Other characters would end the name in `<lora:name:weight>`.
  const loras = model.loras.filter((name) => /^[^<>:]{1,200}$/.test(name));
  const takes = (parameter: EngineParameter) => parameters.includes(parameter);
  const saysNothing = takes("steps") && takes("guidance") && Object.keys(presets).length === 0;
  return {
    ...(saysNothing && usualBounds),
    ...(steps !== undefined && {
      steps: { min: Math.max(1, Math.floor(steps / 2)), max: Math.min(10_000, steps * 2) },
    }),
    // Models with a guidance of 1 or less were distilled: no other value makes a good image.
    ...(guidance !== undefined &&
      guidance > 1 && { guidance: { min: 1, max: Math.min(1_000, guidance * 2) } }),
    ...(takes("sampler") && samplers.length > 0 && { sampler: [...samplers] }),
    ...(takes("scheduler") && schedulers.length > 0 && { scheduler: [...schedulers] }),
    ...(takes("loras") &&
      loras.length > 0 &&
      maxLoras > 0 && {
        loras: {
          names: loras,
          weight: { min: 0, max: 1 },
          max: Math.min(maxLoras, loras.length, 8),
        },
      }),
  };
}
