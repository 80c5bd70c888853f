import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { createSvgDrawer } from "@atelier/svg";
import { loadCatalogue, type Catalogue } from "./catalogue.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import type { Provider, ProviderOutcome, ProviderReference, ProviderRequest } from "./provider.ts";
import { loadProviders, vendorKeys } from "./provider-settings.ts";
import { createProvider } from "./registry.ts";

/** An address without a listener: every call fails immediately. */
const nowhere = "http://127.0.0.1:1";

const vendors = Object.keys(vendorKeys);
let catalogue: Catalogue;
let adapters: Map<string, Provider>;
let reference: ProviderReference;
let mask: Uint8Array;
let markup: Uint8Array;

/** The smallest image that every tool takes. */
const edges = { width: 256, height: 256 };
const margins = { top: 0, right: 0, bottom: 0, left: 64 };

beforeAll(async () => {
  const keys = Object.fromEntries(Object.values(vendorKeys).map((name) => [name, "key"]));
  const providers = await loadProviders({ file: undefined, keys, environment: {} });
  catalogue = await loadCatalogue(undefined, providers);
  adapters = new Map();
  const svgDrawer = createSvgDrawer();
  for (const settings of providers.usable.filter(({ name }) => vendors.includes(name))) {
    const fetchResult = () => Promise.reject(new Error("nothing is fetched"));
    const adapter = await createProvider(
      { ...settings, baseUrl: nowhere },
      { fetchResult, svgDrawer },
    );
    if (adapter !== null) adapters.set(settings.name, adapter);
  }
  const create = { ...edges, channels: 3, background: "#345" } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  mask = await sharp({ create: { ...create, background: "#fff" } })
    .toColourspace("b-w")
    .png()
    .toBuffer();
  markup = await sharp({ create: { ...create, channels: 4, background: "#f008" } })
    .png()
    .toBuffer();
  const style = { role: "style", name: null, description: "a colour" } as const;
  reference = { ...style, bytes, mediaType: "image/png" };
});

function ask(
  entry: CatalogueEntry,
  request: Partial<ProviderRequest>,
): Promise<ProviderOutcome> | undefined {
  return adapters.get(entry.provider)?.generate(
    {
      prompt: "a fox",
      seed: 1,
      previousTurn: null,
      aspectRatio: entry.default_aspect_ratio,
      imageSize: entry.default_image_size,
      references: [],
      model: entry.provider_model,
      ...request,
    },
    {
      signal: new AbortController().signal,
      key: crypto.randomUUID(),
      resumeRequestId: null,
      onRequestId: async () => undefined,
    },
  );
}

/** A request for each operation and option that a model declares. */
function demandsOf(entry: CatalogueEntry): Record<string, Partial<ProviderRequest>> {
  const edit = { kind: "edit", image: reference, mask, strength: null } as const;
  const parts = [reference, reference].map((part) => ({ ...part, role: "part" as const }));
  const background = "#ffffff";
  const graphic = { kind: "graphic", graphic: "icon", palette: ["#112233"], background } as const;
  const all: Record<string, [boolean, Partial<ProviderRequest>]> = {
    edit: [
      entry.operations.includes("edit") && !entry.requires_mask,
      { task: { ...edit, mask: null } },
    ],
    mask: [entry.supports_mask, { task: edit }],
    markup: [entry.supports_markup, { task: { ...edit, mask: null, markup } }],
    combine: [
      entry.operations.includes("combine"),
      { task: { kind: "combine" }, references: parts },
    ],
    graphic: [entry.operations.includes("graphic"), { task: graphic }],
    outpaint: [
      entry.operations.includes("outpaint"),
      {
        task: { kind: "outpaint", image: reference, mask: null, margins },
        pixels: { width: edges.width + margins.left, height: edges.height },
      },
    ],
    erase: [
      entry.operations.includes("erase"),
      { task: { kind: "erase", image: reference, mask }, pixels: edges },
    ],
    vectorize: [
      entry.operations.includes("vectorize"),
      { task: { kind: "vectorize", image: reference, mask: null, colors: null }, pixels: edges },
    ],
    variations: [
      entry.operations.includes("variations"),
      { task: { kind: "variations", image: reference, mask: null, strength: null } },
    ],
    "negative prompt": [entry.supports_negative_prompt, { negativePrompt: "fog" }],
    transparency: [entry.supports_transparency, { background: "transparent" }],
  };
  const declared = Object.entries(all).filter(([, [isDeclared]]) => isDeclared);
  // Options apply to each model's own operation.
  const base = entry.operations.includes("image") ? {} : entry.requires_mask ? { task: edit } : {};
  return Object.fromEntries(declared.map(([name, [, request]]) => [name, { ...base, ...request }]));
}

const inUse = (name: string) =>
  catalogue.entries.filter(({ provider, retires_at }) => provider === name && retires_at === null);

async function expectShapes(
  entry: CatalogueEntry,
  ratios: readonly string[],
  base: Partial<ProviderRequest>,
): Promise<void> {
  for (const imageSize of Object.keys(entry.prices_eur)) {
    for (const aspectRatio of ratios) {
      const outcome = await ask(entry, { ...base, aspectRatio, imageSize });
      const result = { id: entry.id, imageSize, aspectRatio, kind: outcome?.kind };
      expect(result).toEqual({ ...result, kind: "unavailable" });
    }
  }
}

it.each(vendors)(
  "takes every shape for the models of %s that only change images",
  { tags: "full" },
  async (name) => {
    const entries = inUse(name);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      if (entry.operations.includes("image")) continue;
      await expectShapes(entry, entry.aspect_ratios, Object.values(demandsOf(entry))[0] ?? {});
    }
  },
);

it.each(vendors)(
  "declares only capabilities of %s's models that its adapter supports",
  async (name) => {
    const entries = inUse(name);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      const demands = demandsOf(entry);
      const draws = entry.operations.includes("image");
      const base = draws ? {} : (Object.values(demands)[0] ?? {});
      // A change has the shape of its image, and each call scales it.
      await expectShapes(
        entry,
        draws ? entry.aspect_ratios : entry.aspect_ratios.slice(0, 1),
        base,
      );
      const references = Array.from({ length: entry.max_reference_images }, () => reference);
      const requests = { references: { ...base, references }, ...demands };
      for (const [demand, request] of Object.entries(requests)) {
        const outcome = await ask(entry, request);
        const result = { id: entry.id, demand, kind: outcome?.kind };
        expect(result).toEqual({ ...result, kind: "unavailable" });
      }
    }
  },
);

it("has the date and the source of every price of a vendor", () => {
  const without = catalogue.entries.filter(
    ({ provider, retires_at, prices_as_of, prices_source }) =>
      !provider.startsWith("builtin") &&
      retires_at === null &&
      (prices_as_of === null || prices_source === null),
  );
  expect(without.map(({ id }) => id)).toEqual([]);
});
