import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImageDemands } from "@atelier/schemas";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadCatalogue, presentModel, readCatalogue } from "./catalogue.ts";
import { findFallback } from "./fallback.ts";
import { loadProviders, vendorKeys } from "./provider-settings.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-catalogue-"));
});
afterAll(() => rm(directory, { recursive: true }));

const providersWith = async (...variables: string[]) => {
  const keys = Object.fromEntries(variables.map((name) => [name, "key"]));
  return loadProviders({ file: undefined, keys, environment: {} });
};
const all = () => providersWith(...Object.values(vendorKeys));

const entry = {
  name: "Mine",
  description: "Mine.",
  provider: "builtin",
  provider_model: "mine",
  supports_multiturn: true,
  max_reference_images: 2,
  aspect_ratios: ["1:1", "16:9"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  prices_eur: { "1K": "0.05" },
  retires_at: null,
  successor: null,
};

async function fileOf(...models: object[]): Promise<string> {
  const file = join(directory, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify({ models }));
  return file;
}

it("has unique models with providers and usable successors", async () => {
  const providers = await all();
  const { entries } = await readCatalogue(undefined, providers);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  const catalogue = await loadCatalogue(undefined, providers);
  for (const { provider, successor } of entries) {
    expect(providers.usable.map(({ name }) => name)).toContain(provider);
    if (successor !== null) expect(catalogue.find(successor).id).toBe(successor);
  }
});

it("lists the pixels of built-in models, and of those whose adapters request them", async () => {
  const catalogue = await loadCatalogue(undefined, await providersWith("OPENAI_API_KEY"));
  expect(catalogue.pixelsOf("builtin-illustrator")).toContainEqual({
    aspect_ratio: "16:9",
    image_size: "1K",
    width: 1_368,
    height: 768,
  });
  expect(catalogue.pixelsOf("gpt-image-2")).toContainEqual({
    aspect_ratio: "2:3",
    image_size: "1K",
    width: 1_024,
    height: 1_536,
  });
  // Diagrams have the shape of their graph.
  expect(catalogue.pixelsOf("builtin-diagram")).toEqual([]);
});

it("reports at most as many reference images as a request may contain", async () => {
  const file = await fileOf({ ...entry, id: "mine", max_reference_images: 16 });
  const catalogue = await loadCatalogue(file, await providersWith());
  const mine = catalogue.find("mine");
  expect(presentModel(mine, []).max_reference_images).toBe(5);
  // A story may send more references: portraits, a location and the previous scene.
  expect(mine.max_reference_images).toBe(16);
});

it("lists no models of a vendor without a key", async () => {
  const catalogue = await loadCatalogue(undefined, await providersWith("OPENAI_API_KEY"));
  expect(new Set(catalogue.entries.map(({ provider }) => provider))).toEqual(
    new Set(["builtin", "builtin-diagrams", "openai"]),
  );
  expect(catalogue.find("gpt-image-2").provider).toBe("openai");
  expect(() => catalogue.find("gemini-3-pro-image")).toThrow(
    /Model "gemini-3-pro-image" does not exist/,
  );
});

it("rejects a retired model, names its successor, and lists it as retired", async () => {
  const catalogue = await loadCatalogue(undefined, await all());
  expect(() => catalogue.find("dall-e-3")).toThrow(
    'Model "dall-e-3" is retired. Use "gpt-image-2" instead.',
  );
  const retired = catalogue.entryOf("dall-e-3");
  expect(retired && presentModel(retired, []).status).toBe("retired");
});

it("rejects a model that is deprecated after it is retired", async () => {
  const dates = { deprecated_at: "2027-02-01T00:00:00Z", retires_at: "2027-01-01T00:00:00Z" };
  const file = await fileOf({ ...entry, id: "one", ...dates });
  const message = "deprecated_at must not be after retires_at";
  await expect(loadCatalogue(file, await all())).rejects.toThrow(message);
});

it("merges an operator's models over the built-in ones", async () => {
  const file = await fileOf({ ...entry, id: "builtin-pattern" }, { ...entry, id: "mine" });
  const catalogue = await loadCatalogue(file, await all());
  expect(catalogue.find("builtin-pattern").provider_model).toBe("mine");
  expect(catalogue.find("mine").prices_eur).toEqual({ "1K": "0.05" });
});

it("rejects cyclic fallbacks", async () => {
  const file = await fileOf(
    { ...entry, id: "one", fallback: "two" },
    { ...entry, id: "two", fallback: "one" },
  );
  await expect(readCatalogue(file, await all())).rejects.toThrow("one → two → one form a cycle");
});

it.each(["fallback", "successor"])("rejects an unknown model as %s and names it", async (field) => {
  const file = await fileOf(
    { ...entry, id: "one", [field]: "twoo" },
    { ...entry, id: "two", [field]: "tree" },
  );
  const message = `unknown models: ${field} "twoo" of one, ${field} "tree" of two`;
  await expect(loadCatalogue(file, await all())).rejects.toThrow(message);
  await expect(readCatalogue(file, await all())).rejects.toThrow(message);
});

it("skips a fallback whose provider is unavailable", async () => {
  const own = join(directory, "providers.json");
  const { provider: _, ...model } = { ...entry, id: "own" };
  const settings = { kind: "openai", enabled: false, models: [model] };
  await writeFile(own, JSON.stringify({ providers: { second: settings } }));
  const providers = await loadProviders({ file: own, keys: {}, environment: {} });
  const file = await fileOf(
    { ...entry, id: "first", fallback: "own" },
    { ...entry, id: "other", fallback: "gpt-image-2" },
  );
  expect((await loadCatalogue(file, providers)).find("first").fallback).toBe("own");
});

const demands: ImageDemands = {
  kind: "image",
  priceMicroEur: 50_000n,
  images: [{ aspectRatio: "16:9", imageSize: "1K", referenceImages: 1 }],
};

it.each<[string, object, string | null]>([
  ["has the same price", {}, "other"],
  ["costs less", { prices_eur: { "1K": "0.02" } }, "other"],
  ["costs more", { prices_eur: { "1K": "0.050001" } }, "last"],
  ["lacks the aspect ratio", { aspect_ratios: ["1:1"] }, "last"],
  ["lacks the image size", { default_image_size: "2K", prices_eur: { "2K": "0.01" } }, "last"],
  ["accepts fewer references", { max_reference_images: 0 }, "last"],
  ["is retired", { retires_at: "2020-01-01T00:00:00Z" }, "last"],
  ["has an unavailable provider", { provider: "openai" }, "last"],
])(
  "finds the first suitable fallback when the next model in the chain %s",
  async (_, other, found) => {
    const file = await fileOf(
      { ...entry, id: "first", fallback: "other" },
      { ...entry, ...other, id: "other", fallback: "last" },
      { ...entry, id: "last" },
    );
    const catalogue = await loadCatalogue(file, await all());
    const isUsable = ({ provider }: { provider: string }) => provider === "builtin";
    expect(findFallback(catalogue, "first", demands, isUsable)?.entry.id ?? null).toBe(found);
  },
);

it("compares prices in a batch with those that models have in batches", async () => {
  const file = await fileOf(
    { ...entry, id: "first", fallback: "same", batch_price_factor: 0.5 },
    { ...entry, id: "same", fallback: "half" },
    { ...entry, id: "half", batch_price_factor: 0.33 },
  );
  const catalogue = await loadCatalogue(file, await all());
  const half = { ...demands, isInBatch: true, priceMicroEur: 25_000n };
  const found = findFallback(catalogue, "first", half, () => true);
  expect(found).toMatchObject({ entry: { id: "half" }, priceMicroEur: 16_500n });
});

it("allows only models with the needed capabilities, at the price of the operation", async () => {
  const edits = { operations: ["image", "story", "edit"], supports_mask: true };
  const file = await fileOf(
    { ...entry, id: "first", fallback: "without" },
    { ...entry, id: "without", fallback: "dear" },
    {
      ...entry,
      ...edits,
      id: "dear",
      operation_prices_eur: { edit: { "1K": "0.06" } },
      fallback: "last",
    },
    { ...entry, ...edits, id: "last", operation_prices_eur: { edit: { "1K": "0.04" } } },
  );
  const catalogue = await loadCatalogue(file, await all());
  const edit: ImageDemands = { ...demands, capabilities: ["edit", "mask"] };
  const found = findFallback(catalogue, "first", edit, () => true);
  expect(found).toMatchObject({ entry: { id: "last" }, priceMicroEur: 40_000n });
  expect(presentModel(catalogue.find("last"), []).prices).toContainEqual({
    operation: "edit",
    image_size: "1K",
    eur: "0.04",
  });
});

it("falls back only to models that take markup for an edit with it", async () => {
  const edits = { operations: ["image", "story", "edit"] };
  const file = await fileOf(
    { ...entry, ...edits, supports_markup: true, id: "first", fallback: "without" },
    { ...entry, ...edits, id: "without", fallback: "last" },
    { ...entry, ...edits, supports_markup: true, id: "last" },
  );
  const catalogue = await loadCatalogue(file, await all());
  const edit: ImageDemands = { ...demands, capabilities: ["edit", "markup"] };
  expect(findFallback(catalogue, "first", edit, () => true)?.entry.id).toBe("last");
});

it("allows only story models for stories and adds up the price of all images", async () => {
  const file = await fileOf(
    { ...entry, id: "first", fallback: "single" },
    { ...entry, id: "single", supports_multiturn: false, fallback: "last" },
    { ...entry, id: "last" },
  );
  const catalogue = await loadCatalogue(file, await all());
  const [image] = demands.images;
  if (image === undefined) return;
  const story: ImageDemands = {
    kind: "story",
    priceMicroEur: 150_000n,
    images: [image, image, image],
  };
  const found = findFallback(catalogue, "first", story, () => true);
  expect(found).toMatchObject({ entry: { id: "last" }, priceMicroEur: 150_000n });
  const less = { ...story, priceMicroEur: 149_999n };
  expect(findFallback(catalogue, "first", less, () => true)).toBeNull();
});

it("falls back only to models that allow the parameters of the request", async () => {
  const file = await fileOf(
    { ...entry, id: "first", fallback: "other" },
    { ...entry, id: "other", fallback: null },
  );
  const catalogue = await loadCatalogue(file, await all());
  const isUsable = () => true;
  expect(
    findFallback(catalogue, "first", { ...demands, parameters: null }, isUsable),
  ).not.toBeNull();
  const withSteps = { ...demands, parameters: { steps: 4 } };
  expect(findFallback(catalogue, "first", withSteps, isUsable)).toBeNull();
});

const ink = { name: "ink", weight: 1 };
const named = { names: ["detail"] };

const stepPriced = {
  provider: "custom",
  defaults: { steps: 20 },
  client_may_set: { steps: { min: 4, max: 30 } },
  prices_eur: { "1K": "0.05" },
  price_per_step: { "1K": "0.001" },
};

it("prices a fallback with the steps of the request", async () => {
  const steps = { defaults: { steps: 8 }, client_may_set: { steps: { min: 4, max: 30 } } };
  const file = await fileOf(
    { ...entry, ...stepPriced, id: "first", fallback: "dear" },
    // 0.05 EUR + 22 × 0.001 EUR
    { ...entry, ...stepPriced, ...steps, id: "dear", fallback: "last" },
    // 0.05 EUR + 10 × 0.001 EUR
    { ...entry, ...stepPriced, id: "last" },
  );
  const own = join(directory, "custom.json");
  await writeFile(own, JSON.stringify({ providers: { custom: { kind: "custom" } } }));
  const providers = await loadProviders({ file: own, keys: {}, environment: {} });
  const catalogue = await loadCatalogue(file, providers);
  const wanted = { ...demands, priceMicroEur: 60_000n, parameters: { steps: 30 } };
  expect(findFallback(catalogue, "first", wanted, () => true)).toMatchObject({
    entry: { id: "last" },
    priceMicroEur: 60_000n,
  });
});

it.each<[string, object]>([
  ["price_per_step needs defaults.steps", { defaults: {} }],
  ["and client_may_set.steps", { client_may_set: {} }],
  ["price_per_step must have a price for each size of prices_eur: 1K", { price_per_step: {} }],
  [
    "price_per_step makes the price of image at 1K negative with 4 steps",
    { price_per_step: { "1K": "0.0032" } },
  ],
  [
    "price_per_step makes the price of scene at 1K negative with 4 steps",
    { operation_prices_eur: { scene: { "1K": "0.01" } } },
  ],
  ["defaults: steps must be 4 to 30", { defaults: { steps: 31 } }],
  [
    "defaults: sampler must be one of Euler",
    {
      defaults: { steps: 20, sampler: "DPM++ 2M" },
      client_may_set: { ...stepPriced.client_may_set, sampler: ["Euler"] },
    },
  ],
])("refuses at start: %s", async (problem, change) => {
  const file = await fileOf({ ...entry, ...stepPriced, ...change, id: "one" });
  await expect(loadCatalogue(file, await all())).rejects.toThrow(problem);
});

it.each<[string, object, object]>([
  ["loras of one need lora_folder of the provider", { defaults: { loras: [ink] } }, {}],
  ["loras of one need lora_folder of the provider", { client_may_set: { loras: named } }, {}],
  [
    "defaults and client_may_set of one allow 2 LoRAs per image, and its server takes one",
    { defaults: { loras: [ink] }, client_may_set: { loras: named } },
    { lora_folder: "/models/loras/" },
  ],
])(
  "refuses LoRAs that a server with OpenAI's API cannot apply: %s",
  async (problem, model, gpu) => {
    const own = join(directory, "own-server.json");
    const base_url = "http://127.0.0.1:8000/v1";
    const settings = { kind: "openai-compatible", base_url, ...gpu };
    await writeFile(own, JSON.stringify({ providers: { gpu: settings } }));
    const providers = await loadProviders({ file: own, keys: {}, environment: {} });
    const file = await fileOf({ ...entry, ...model, provider: "gpu", id: "one" });
    await expect(loadCatalogue(file, providers)).rejects.toThrow(problem);
  },
);

it.each(["defaults", "client_may_set"])(
  "refuses %s that the provider of a model does not take",
  async (field) => {
    const value = field === "defaults" ? { steps: 8 } : { steps: { min: 4, max: 8 } };
    const file = await fileOf({ ...entry, id: "one", [field]: value });
    await expect(loadCatalogue(file, await all())).rejects.toThrow(
      `${field}.steps of one is not taken by the provider kind builtin; it takes none.`,
    );
  },
);

it.each([
  [
    { provider: "stability" },
    "sizes of one are not made by the provider kind stability. Remove them.",
  ],
  [{}, "sizes of one have no price above 1050624 pixels. Lower max_pixels"],
])("refuses exact sizes that cannot be made or have no price: %o", async (fields, problem) => {
  const sizes = { multiple_of: 8, min: 512, max: 2_048, max_pixels: 2_048 ** 2 };
  const file = await fileOf({ ...entry, ...fields, id: "one", sizes });
  await expect(loadCatalogue(file, await all())).rejects.toThrow(problem);
});
