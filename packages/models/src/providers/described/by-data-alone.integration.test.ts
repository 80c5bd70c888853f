import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSvgDrawer } from "@atelier/svg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadCatalogue } from "../../catalogue.ts";
import type { ProviderCall, ProviderOutcome, ProviderRequest } from "../../provider.ts";
import { loadProviders } from "../../provider-settings.ts";
import { createProvider } from "../../registry.ts";
import type { VendorUsage } from "../../vendor-usage.ts";
import { startFalServer } from "../fal/server.ts";
import { callAdapter, makeReferences, sizeOf } from "../testing/call-adapter.ts";
import { fetchPlainly } from "../testing/fetch-plainly.ts";
import type { ProtocolServer } from "../testing/protocol-server.ts";
import { readForm } from "../testing/read-form.ts";
import { inventedText, startInventedServer } from "./testing/invented-server.ts";

const apiKey = "token-0123456789abcdef";

let folder: string;
let server: ProtocolServer | null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-described-"));
  server = null;
});
afterEach(async () => {
  await server?.close();
  await rm(folder, { recursive: true });
});

const model = {
  description: "A model that no code knows.",
  supports_multiturn: false,
  max_reference_images: 4,
  aspect_ratios: ["1:1", "16:9"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  retires_at: null,
  successor: null,
};

/** Configures a provider with files alone, as an operator does, and makes an image. */
async function configure(description: string, url: string, entry: object) {
  const file = join(folder, "providers.json");
  await writeFile(join(folder, "described.json"), description);
  const provider = {
    kind: "http",
    description_file: "described.json",
    base_url: url,
    api_key_env: "OUR_KEY",
    models: [{ ...model, ...entry }],
  };
  await writeFile(file, JSON.stringify({ providers: { ours: provider } }));
  const providers = await loadProviders({ file, keys: {}, environment: { OUR_KEY: apiKey } });
  const catalogue = await loadCatalogue(undefined, providers);
  const settings = providers.usable.find(({ name }) => name === "ours");
  if (settings === undefined) throw new Error("the provider is not usable");
  const tools = { fetchResult: fetchPlainly, svgDrawer: createSvgDrawer() };
  const adapter = await createProvider(settings, tools);
  if (adapter === null) throw new Error("the provider has no adapter");
  return {
    catalogue,
    generate: (
      request: Partial<ProviderRequest>,
      call?: Partial<ProviderCall>,
    ): Promise<ProviderOutcome> => callAdapter(adapter, request, call),
  };
}

it("adds a server with an invented protocol: form upload, polls, image as bytes, cost in a header", async () => {
  server = await startInventedServer({ apiKey });
  const { catalogue, generate } = await configure(inventedText, server.url, {
    id: "our-model",
    name: "Our model",
    provider_model: "best",
    supports_negative_prompt: true,
    prices_eur: { "1K": "0.01", "2K": "0.02" },
    client_may_set: { steps: { min: 1, max: 50 } },
    sizes: { multiple_of: 8, min: 256, max: 2048, max_pixels: 4_194_304 },
  });
  expect(catalogue.pixelsOf("our-model")).toContainEqual({
    aspect_ratio: "16:9",
    image_size: "1K",
    width: 1368,
    height: 768,
  });
  const stated: VendorUsage[] = [];
  const outcome = await generate(
    {
      model: "best",
      prompt: "a boat <lora:detail:1>",
      negativePrompt: "fog",
      pixels: { width: 640, height: 360 },
      seed: 4_294_967_295,
      parameters: { steps: 20 },
      references: await makeReferences("the boat", "the harbour"),
    },
    { onUsage: (usage) => stated.push(usage) },
  );
  // The header of the last answer says 4.2 cents.
  expect(stated.at(-1)).toEqual({ cost: { micro: 42_000n, currency: "EUR" } });
  expect(await sizeOf(outcome)).toEqual({ width: 640, height: 360 });
  expect(outcome).toMatchObject({ kind: "image", seed: 2 });
  const [order] = server.calls;
  const parts = order === undefined ? null : await readForm(order);
  expect(parts?.map(({ name }) => name)).toEqual(["job", "sample", "sample"]);
  expect(JSON.parse(String(parts?.[0]?.bytes))).toEqual({
    text: expect.stringContaining("a boat (lora:detail:1)") as string,
    without: "fog",
    box: [640, 360],
    number: 2,
    rounds: 20,
  });
});

it("adds fal's FLUX.3, whose inputs differ from those of its other models", async () => {
  server = await startFalServer({ apiKey });
  const description = {
    key: { headers: { authorization: "Key {api_key}" } },
    sizes: {
      approximate: true,
      of: { "2K": { value: "2k", area: 3_355_443, max_edge: 8192, multiple_of: 16 } },
    },
    images: { as: "data_url", max: 10 },
    requests: [
      {
        when: { images: false },
        path: "{model}/text-to-image",
        json: {
          prompt: "{prompt}",
          aspect_ratio: "{aspect_ratio}",
          resolution: "{image_size}",
        },
      },
      {
        when: { tasks: ["image", "edit", "combine"], images: true },
        path: "{model}/edit-image",
        json: {
          prompt: "{prompt}",
          aspect_ratio: "{aspect_ratio}",
          resolution: "{image_size}",
          image_urls: "{images}",
        },
      },
    ],
    poll: {
      keep: { status: "status_url", response: "response_url" },
      interval_ms: 1,
      status: { path: "{status}" },
      state: "status",
      done: ["COMPLETED"],
      result: { path: "{response}" },
    },
    answer: { image: { as: "url", at: "images.0.url" } },
  };
  const { catalogue, generate } = await configure(JSON.stringify(description), server.url, {
    id: "our-flux-3",
    name: "FLUX.3",
    provider_model: "blackforestlabs/flux-3",
    default_image_size: "2K",
    prices_eur: { "2K": "0.15" },
  });
  // The vendor chooses the pixels.
  expect(catalogue.pixelsOf("our-flux-3")).toEqual([]);
  const wanted = {
    model: "blackforestlabs/flux-3",
    imageSize: "2K",
    aspectRatio: "16:9",
  };
  expect(await sizeOf(await generate(wanted))).toEqual({ width: 2731, height: 1536 });
  const references = await makeReferences("the boat");
  expect((await generate({ ...wanted, references })).kind).toBe("image");
  expect(server.calls.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
    "/blackforestlabs/flux-3/text-to-image",
    "/blackforestlabs/flux-3/edit-image",
  ]);
});
