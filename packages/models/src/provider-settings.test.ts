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

describe("providers without a file", () => {
  it("are the built-in one alone when there are no keys, and each says what it lacks", async () => {
    const providers = await loadProviders({ file: undefined, keys: {}, environment: {} });
    expect(usableNames(providers)).toEqual(["builtin"]);
    expect(providers.unusable).toContainEqual({
      name: "openai",
      reason: "OPENAI_API_KEY is not set",
      modelIds: [],
    });
    expect(providers.unusable).toHaveLength(6);
  });

  it("are those whose keys are there", async () => {
    const keys = { OPENAI_API_KEY: ` ${canary}\n`, FAL_KEY: "" };
    const providers = await loadProviders({ file: undefined, keys, environment: {} });
    expect(usableNames(providers)).toEqual(["builtin", "openai"]);
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

describe("a file of providers", () => {
  it("tunes a vendor", async () => {
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
      quality: "high",
    });
  });

  it("adds servers of one's own, with their models", async () => {
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

  it("names keys by variable or by file, from the folder of the file", async () => {
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

  it("switches one off", async () => {
    const providers = await load({ builtin: { enabled: false } });
    expect(usableNames(providers)).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ["what is no JSON", "{", /cannot be used: .*JSON/],
    ["an unknown setting", { openai: { concurency: 2 } }, /concurency[^]*providers\.openai/],
    ["a limit of nothing", { openai: { concurrency: 0 } }, /providers\.openai\.concurrency/],
    ["an unknown kind", { mine: { kind: "dalle" } }, /providers\.mine\.kind/],
    ["a name that is no kind", { mine: {} }, /providers\.mine\.kind is required/],
    ["a server without its address", { sdcpp: {} }, /providers\.sdcpp\.base_url is required/],
    [
      "a password in an address",
      { sdcpp: { base_url: "http://me:secret@127.0.0.1:1234" } },
      /must not have a user or a password[^]*sdcpp\.base_url/,
    ],
    [
      "ComfyUI without its workflow",
      { comfyui: { base_url: "http://127.0.0.1:8188" } },
      /providers\.comfyui\.workflow_file is required/,
    ],
    ["a key in the file", { openai: { api_key: canary } }, /api_key/],
    [
      "a key file that is not there",
      { openai: { api_key_file: "nowhere" } },
      /providers\.openai\.api_key_file names .*nowhere, which cannot be read/,
    ],
    [
      "a model that is none",
      { mine: { kind: "custom", models: [{ ...model, prices_eur: {} }] } },
      /providers\.mine\.models\.0 is not a model[^]*default_image_size must have a price/,
    ],
    ["a name that is no lane", { "My GPU": { kind: "custom" } }, /lower-case/],
  ])("is refused with %s, and told where", async (_, providers, message) => {
    const loading = load(providers);
    await expect(loading).rejects.toThrow(message);
    await expect(loading).rejects.not.toThrow(canary);
  });
});
