import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { loadCatalogue, type Catalogue } from "./catalogue.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import type { Provider, ProviderOutcome, ProviderReference } from "./provider.ts";
import { loadProviders, vendorKeys } from "./provider-settings.ts";
import { createProvider } from "./registry.ts";

/** Nothing listens there: a call that an adapter would make comes to nothing at once. */
const nowhere = "http://127.0.0.1:1";

const vendors = Object.keys(vendorKeys);
let catalogue: Catalogue;
let adapters: Map<string, Provider>;
let reference: ProviderReference;

beforeAll(async () => {
  const keys = Object.fromEntries(Object.values(vendorKeys).map((name) => [name, "key"]));
  const providers = await loadProviders({ file: undefined, keys, environment: {} });
  catalogue = await loadCatalogue(undefined, providers);
  adapters = new Map();
  for (const settings of providers.usable.filter(({ name }) => vendors.includes(name))) {
    const fetchResult = () => Promise.reject(new Error("nothing is fetched"));
    const adapter = await createProvider({ ...settings, baseUrl: nowhere }, { fetchResult });
    if (adapter !== null) adapters.set(settings.name, adapter);
  }
  const create = { width: 8, height: 8, channels: 3, background: "#345" } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const of = { role: "style", name: null, description: "a colour" } as const;
  reference = { ...of, bytes, mediaType: "image/png" };
});

function ask(
  entry: CatalogueEntry,
  request: { aspectRatio: string; imageSize: string; references: readonly ProviderReference[] },
): Promise<ProviderOutcome> | undefined {
  return adapters.get(entry.provider)?.generate(
    { ...request, model: entry.provider_model, prompt: "a fox", seed: 1, previousTurn: null },
    {
      signal: new AbortController().signal,
      key: crypto.randomUUID(),
      resumeRequestId: null,
      onRequestId: async () => undefined,
    },
  );
}

it.each(vendors)(
  "promises nothing of %s's models that its adapter does not ask for",
  async (name) => {
    const entries = catalogue.entries.filter(
      ({ provider, retires_at }) => provider === name && retires_at === null,
    );
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      for (const imageSize of Object.keys(entry.prices_eur)) {
        for (const aspectRatio of entry.aspect_ratios) {
          const outcome = await ask(entry, { aspectRatio, imageSize, references: [] });
          const asked = { id: entry.id, imageSize, aspectRatio, kind: outcome?.kind };
          expect(asked).toEqual({ ...asked, kind: "unavailable" });
        }
      }
      const references = Array.from({ length: entry.max_reference_images }, () => reference);
      const { default_aspect_ratio: aspectRatio, default_image_size: imageSize } = entry;
      const outcome = await ask(entry, { aspectRatio, imageSize, references });
      expect({ id: entry.id, kind: outcome?.kind }).toEqual({ id: entry.id, kind: "unavailable" });
    }
  },
);
