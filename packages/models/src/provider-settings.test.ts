import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadProviders, type Providers } from "./provider-settings.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-providers-"));
});
afterAll(() => rm(directory, { recursive: true }));

const canary = "sk-canary-5f3b9c";

async function load(
  providers: unknown,
  environment: Record<string, string> = {},
  keys: Record<string, string> = {},
): Promise<Providers> {
  const file = join(directory, `${crypto.randomUUID()}.json`);
  await writeFile(file, typeof providers === "string" ? providers : JSON.stringify({ providers }));
  return loadProviders({ file, keys, environment });
}

const usableNames = ({ usable }: Providers) => usable.map(({ name }) => name);
const find = ({ usable }: Providers, wanted: string) => usable.find(({ name }) => name === wanted);

const model = {
  id: "my-flux",
  name: "My FLUX",
  description: "On our own machine.",
  provider_model: "flux",
  supports_multiturn: false,
  max_reference_images: 0,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  prices_eur: { "1K": "0.005" },
  retires_at: null,
  successor: null,
};

it.each([
  ["sdcpp", {}, true],
  ["openai-compatible", {}, true],
  ["openai-compatible", { supports_seed: false }, false],
  ["openai", {}, false],
])("a model of %s with %o supports seeds: %s", async (kind, fields, supports_seed) => {
  const entry = { kind, base_url: "https://gpu.example/v1", api_key_env: "GPU_KEY" };
  const { usable } = await load(
    { gpu: { ...entry, models: [{ ...model, ...fields }] } },
    { GPU_KEY: "key" },
  );
  expect(usable.find(({ name }) => name === "gpu")?.models).toMatchObject([{ supports_seed }]);
});

describe("providers without PROVIDERS_FILE", () => {
  it("include only the built-in provider without keys; the others report what is missing", async () => {
    const providers = await loadProviders({ file: undefined, keys: {}, environment: {} });
    expect(usableNames(providers)).toEqual(["builtin", "builtin-diagrams", "builtin-test"]);
    expect(providers.unusable).toContainEqual({
      name: "openai",
      reason: "OPENAI_API_KEY is not set",
      modelIds: [],
    });
    expect(providers.unusable).toHaveLength(12);
  });

  it("include every vendor with a key", async () => {
    const keys = { OPENAI_API_KEY: ` ${canary}\n`, FAL_KEY: "" };
    const providers = await loadProviders({ file: undefined, keys, environment: {} });
    expect(usableNames(providers)).toEqual([
      "builtin",
      "builtin-diagrams",
      "builtin-test",
      "openai",
    ]);
    expect(find(providers, "openai")).toMatchObject({
      kind: "openai",
      apiKey: canary,
      baseUrl: null,
      concurrency: null,
      rateLimit: null,
      timeoutMs: null,
      breaker: { failures: 5, coolDownMs: 30_000 },
    });
  });
});

describe("PROVIDERS_FILE", () => {
  it("switches the diagrams off together with the other built-in models", async () => {
    const providers = await load({ builtin: { enabled: false } });
    expect(usableNames(providers)).toEqual([]);
    const kept = { builtin: { enabled: false }, "builtin-diagrams": {} };
    expect(usableNames(await load(kept))).toEqual(["builtin-diagrams"]);
  });

  it("overrides settings of a vendor", async () => {
    const tuned = {
      base_url: "https://eu.example.com/v1/",
      concurrency: 2,
      rate_limit: { requests: 50 },
      timeout_seconds: 180,
      circuit_breaker: { failures: 3 },
      quality: "high",
    };
    const providers = await load({ openai: tuned }, {}, { OPENAI_API_KEY: canary });
    expect(find(providers, "openai")).toMatchObject({
      baseUrl: "https://eu.example.com/v1",
      concurrency: 2,
      rateLimit: { max: 50, durationMs: 60_000 },
      timeoutMs: 180_000,
      breaker: { failures: 3, coolDownMs: 30_000 },
      own: { quality: "high" },
    });
  });

  it("adds custom servers with their models", async () => {
    const providers = await load({
      "our-gpu": {
        kind: "sdcpp",
        base_url: "http://10.0.0.5:1234",
        models: [model],
      },
    });
    expect(find(providers, "our-gpu")).toMatchObject({
      kind: "sdcpp",
      apiKey: null,
      models: [{ id: "my-flux", provider: "our-gpu", fallback: null }],
    });
  });

  it("reads keys from variables or from files relative to itself", async () => {
    await writeFile(join(directory, "key.txt"), `${canary}\n`);
    const providers = await load(
      {
        second: { kind: "openai", api_key_env: "SECOND_KEY" },
        third: { kind: "gemini", api_key_file: "key.txt" },
        fourth: { kind: "gemini", api_key_env: "FOURTH_KEY" },
      },
      { SECOND_KEY: "sk-second" },
    );
    expect(find(providers, "second")?.apiKey).toBe("sk-second");
    expect(find(providers, "third")?.apiKey).toBe(canary);
    expect(providers.unusable).toContainEqual({
      name: "fourth",
      reason: "FOURTH_KEY is not set",
      modelIds: [],
    });
  });

  it("takes the limits of a description unless the entry has its own", async () => {
    await writeFile(
      join(directory, "described.json"),
      JSON.stringify({
        base_url: "https://images.example.com/v1/",
        sizes: { of: { "1K": { area: 1_048_576 } } },
        requests: [{ path: "images", json: { prompt: "{prompt}" } }],
        answer: { image: { as: "body" } },
        limits: { concurrency: 3, requests: 10, per_seconds: 30, timeout_seconds: 90 },
      }),
    );
    const http = { kind: "http", description_file: "described.json" };
    const providers = await load({
      one: http,
      other: { ...http, concurrency: 1, rate_limit: { requests: 5 }, timeout_seconds: 20 },
    });
    const limitsOf = (name: string) => {
      const { concurrency, rateLimit, timeoutMs } = find(providers, name) ?? {};
      return { concurrency, rateLimit, timeoutMs };
    };
    expect(limitsOf("one")).toEqual({
      concurrency: 3,
      rateLimit: { max: 10, durationMs: 30_000 },
      timeoutMs: 90_000,
    });
    expect(limitsOf("other")).toEqual({
      concurrency: 1,
      rateLimit: { max: 5, durationMs: 60_000 },
      timeoutMs: 20_000,
    });
  });

  it("disables a provider", async () => {
    const providers = await load({ builtin: { enabled: false } });
    expect(usableNames(providers)).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ["malformed JSON", "{", /cannot be used: .*JSON/],
    [
      "an unknown setting",
      { openai: { concurency: 2 } },
      /line 1, column 25: providers\.openai\.concurency is unknown; allowed here: .*concurrency/,
    ],
    ["a limit of zero", { openai: { concurrency: 0 } }, /providers\.openai\.concurrency/],
    ["an unknown kind", { mine: { kind: "dalle" } }, /providers\.mine\.kind/],
    ["a missing kind", { mine: {} }, /providers\.mine\.kind is required/],
    ["a server without an address", { sdcpp: {} }, /providers\.sdcpp\.base_url is required/],
    [
      "a password in a URL",
      { sdcpp: { base_url: "http://me:secret@127.0.0.1:1234" } },
      /column 35: providers\.sdcpp\.base_url must not have a user or a password/,
    ],
    [
      "ComfyUI without a workflow",
      { comfyui: { base_url: "http://127.0.0.1:8188" } },
      /providers\.comfyui\.workflow_file is required/,
    ],
    [
      "a description of another kind",
      { openai: { description_file: "x.json" } },
      /line 1, column \d+: providers\.openai\.description_file is required for the kind http, and for/,
    ],
    [
      "a missing description",
      { mine: { kind: "http", description_file: "nowhere.json" } },
      /The description .*nowhere\.json cannot be read/,
    ],
    [
      "a described server without an address",
      { "nvidia-nim": {} },
      /providers\.nvidia-nim\.base_url is required/,
    ],
    [
      "a described server without its key",
      { "azure-openai": { base_url: "http://127.0.0.1:1" } },
      /providers\.azure-openai\.api_key_env is required: the description sends a key/,
    ],
    ["a key in the file", { openai: { api_key: canary } }, /api_key/],
    [
      "a missing key file",
      { openai: { api_key_file: "nowhere" } },
      /providers\.openai\.api_key_file names .*nowhere, which cannot be read/,
    ],
    [
      "an invalid model",
      { mine: { kind: "custom", models: [{ ...model, prices_eur: {} }] } },
      /providers\.mine\.models\.0 is not a model:\n {2}line 1, column \d+: providers\.mine\.models\.0 default_image_size must have a price/,
    ],
    [
      "masks of a server without a field for them",
      {
        mine: {
          kind: "openai-compatible",
          base_url: "http://127.0.0.1:1",
          models: [{ ...model, operations: ["edit"], supports_mask: true }],
        },
      },
      /providers\.mine\.models\.0\.supports_mask needs mask_field/,
    ],
    [
      "negative prompts of a server without them",
      {
        mine: {
          kind: "openai-compatible",
          base_url: "http://127.0.0.1:1",
          models: [{ ...model, supports_negative_prompt: true }],
        },
      },
      /providers\.mine\.models\.0\.supports_negative_prompt needs negative_prompt/,
    ],
    [
      "a thinking level of another vendor",
      { openai: { thinking: "high" } },
      /providers\.openai\.thinking is for Gemini alone/,
    ],
    [
      "a LoRA folder of a vendor",
      { openai: { lora_folder: "/loras" } },
      /providers\.openai\.lora_folder is only for servers with OpenAI's API/,
    ],
    [
      "a mask field of a vendor",
      { openai: { mask_field: "mask" } },
      /providers\.openai\.mask_field is only for servers with OpenAI's API/,
    ],
    ["an invalid lane name", { "My GPU": { kind: "custom" } }, /lower-case/],
  ])("is rejected with %s, naming the location", async (_, providers, message) => {
    const loading = load(providers);
    await expect(loading).rejects.toThrow(message);
    await expect(loading).rejects.not.toThrow(canary);
  });
});

it("refuses graphics of OpenAI without the model that writes them", async () => {
  const graphics = { ...model, operations: ["graphic"] };
  const keys = { OPENAI_API_KEY: canary };
  await expect(load({ openai: { models: [graphics] } }, {}, keys)).rejects.toThrow(
    "providers.openai.models.0.operations with graphic need svg of the provider.",
  );
  const svg = { model: "gpt-5.6-terra", effort: "low" };
  const providers = await load({ openai: { svg, models: [graphics] } }, {}, keys);
  expect(find(providers, "openai")?.own).toMatchObject({ svgAuthor: svg });
});
