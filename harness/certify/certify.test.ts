import { loadProviders, readCatalogue, type CatalogueEntry } from "@atelier/models";
import {
  startOpenAiServer,
  startSdcppServer,
  type Fault,
  type ProtocolServer,
} from "@atelier/models/testing";
import { createSvgDrawer } from "@atelier/svg";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { certify } from "./certify.ts";
import { startReplay } from "./replay.ts";
import { certificationReport, isCertified, type CheckName } from "./report.ts";

// Recording is for the whole process: these tests run one after another.
const apiKey = "sk-proj-atelier-test-0123456789abcdef";
/** The key that the check of wrong keys uses. */
const wrongKey = "atelier-certify-not-a-key-0123456789";

const ownModel = {
  id: "our-flux",
  name: "Our FLUX",
  description: "On our own machine.",
  provider_model: "local",
  operations: ["image", "scene", "edit"],
  supports_multiturn: false,
  supports_mask: true,
  max_reference_images: 1,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  prices_eur: { "1K": "0.01" },
  vendor_price: { currency: "EUR", rules: [{ per: { image: "0.002" } }] },
  retires_at: null,
  successor: null,
};

let directory: string;
let openai: ProtocolServer;
/** OpenAI's server with an account whose key is the wrong one of the check. */
let careless: ProtocolServer;
let sdcpp: ProtocolServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-certify-"));
  [openai, careless, sdcpp] = await Promise.all([
    startOpenAiServer({ apiKey }),
    startOpenAiServer({ apiKey: wrongKey }),
    startSdcppServer(),
  ]);
});
beforeEach(() => [openai, careless, sdcpp].forEach((server) => server.behave(null)));
afterAll(async () => {
  await Promise.all([openai, careless, sdcpp].map((server) => server.close()));
  await rm(directory, { recursive: true });
});

interface Run {
  readonly server: ProtocolServer;
  /** Faults of the server by check. */
  readonly faults?: Readonly<Partial<Record<CheckName, Fault>>>;
  readonly maxSpendMicro?: bigint;
  readonly change?: (entry: CatalogueEntry) => CatalogueEntry;
}

async function run({ server, faults = {}, maxSpendMicro = 5_000_000n, change }: Run) {
  const file = join(directory, `${crypto.randomUUID()}.json`);
  const isOwn = server === sdcpp;
  const key = server === careless ? wrongKey : apiKey;
  const providers = isOwn
    ? { "gpu-box": { kind: "sdcpp", base_url: server.url, models: [ownModel] } }
    : { openai: { base_url: `${server.url}/v1`, api_key_env: "KEY" } };
  await writeFile(file, JSON.stringify({ providers }));
  const loaded = await loadProviders({ file, keys: {}, environment: { KEY: key } });
  const catalogue = await readCatalogue(undefined, loaded);
  const entry = catalogue.entryOf(isOwn ? "our-flux" : "gpt-image-2.6-flare");
  const settings = loaded.usable.find(({ name }) => name === entry?.provider);
  if (entry === null || settings === undefined) throw new Error("the model is not usable");
  return certify({
    settings,
    entry: change === undefined ? entry : change(entry),
    tools: {
      fetchResult: () => Promise.reject(new Error("no URLs")),
      svgDrawer: createSvgDrawer(),
    },
    maxSpendMicro,
    refusalPrompt: "refused by the server",
    timeoutMs: 30_000,
    onCheck: (name) =>
      server.behave(faults[name] ?? (name === "refusal" && !isOwn ? refusal : null)),
  });
}

const refusal: Fault = { kind: "refusal", shape: "input" };

const resultsOf = (report: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(report.checks.map(({ message, name, status }) => [name, { message, status }]));

describe("certify", { timeout: 120_000 }, () => {
  it("passes every check of a synchronous vendor that follows its protocol", async () => {
    const limited: Fault = { kind: "rate-limit", retryAfter: "7" };
    const report = await run({ server: openai, faults: { "rate limit": limited } });
    expect(resultsOf(report)).toMatchObject({
      generate: { status: "passed", message: "made 1024x1024" },
      edit: { status: "passed" },
      mask: { status: "passed" },
      references: { status: "passed" },
      refusal: { status: "passed", message: "refused at the stage request: violence" },
      "wrong key": { status: "passed" },
      "rate limit": { status: "passed", message: "limited, to be repeated after 7 s" },
      cancel: { status: "not applicable" },
      "lost response": { status: "passed" },
      cost: { status: "passed" },
    });
    expect(isCertified(report)).toBe(true);
    expect(() => certificationReport.parse(report)).not.toThrow();
    // Each image of the server has 10 × 5 + 40 × 8 + 50 × 30 micro-USD.
    expect(report).toMatchObject({ currency: "USD", versions: { node: process.versions.node } });
  });

  it("passes every check of an own server with jobs, and resumes a lost one", async () => {
    const report = await run({ server: sdcpp });
    expect(resultsOf(report)).toMatchObject({
      generate: { status: "passed" },
      mask: { status: "passed" },
      refusal: { status: "not provoked" },
      "wrong key": { status: "not applicable" },
      cancel: { status: "passed", message: "cancelled at the vendor" },
      "lost response": { status: "passed", message: expect.stringContaining("found again") },
      cost: { status: "passed" },
    });
    expect(isCertified(report)).toBe(true);
    // Five images at 0.002; two calls without a result count with the model's own price.
    expect(report).toMatchObject({ spent: "0.03", currency: "EUR", unknown_costs: 2 });
  });

  it("records exchanges without keys, images and long texts", async () => {
    const { exchanges } = await run({ server: openai });
    const text = JSON.stringify(exchanges);
    expect(text).not.toContain(apiKey);
    expect(text).not.toContain(wrongKey);
    expect(text).not.toMatch(/[A-Za-z0-9+/]{400}/);
    expect(exchanges[0]).toMatchObject({
      check: "generate",
      request: { method: "POST", body: { model: "gpt-image-2.6-flare", n: 1, size: "1024x1024" } },
      response: { status: 200, body: { data: [{ b64_json: "<png image 1024x1024>" }] } },
    });
  });

  it("replays what it recorded to the same adapter", { tags: "full" }, async () => {
    const recorded = await run({ server: openai });
    const replay = await startReplay(recorded);
    try {
      const report = await run({ server: replay });
      const made = { status: "passed", message: "made 1024x1024" };
      expect(resultsOf(report)).toMatchObject({ generate: made, refusal: { status: "passed" } });
      expect(report.units).toEqual(recorded.units);
    } finally {
      await replay.close();
    }
  });

  it("stops before it exceeds the spend", async () => {
    // The model's price for clients is 0.07: after one image, another one might exceed it.
    const report = await run({ server: openai, maxSpendMicro: 71_000n });
    expect(resultsOf(report)).toMatchObject({
      generate: { status: "passed" },
      edit: { status: "not run", message: expect.stringContaining("could exceed the spend") },
    });
    expect(Number(report.spent)).toBeLessThanOrEqual(0.071);
    expect(openai.calls.filter(({ paid }) => paid).length).toBeGreaterThan(0);
    expect(isCertified(report)).toBe(false);
  });

  const failing: Fault = { kind: "server-error", status: 500, at: "order" };

  it.each<[CheckName, Omit<Run, "server"> & { readonly on: () => ProtocolServer }, string]>([
    [
      "generate",
      { on: () => openai, faults: { generate: { kind: "not-an-image" } } },
      "is not an image",
    ],
    ["edit", { on: () => openai, faults: { edit: { kind: "wrong-size" } } }, "wrong-size"],
    ["mask", { on: () => openai, faults: { mask: { kind: "half-an-image" } } }, "cut short"],
    [
      "references",
      { on: () => openai, faults: { references: { kind: "invalid-request" } } },
      "invalid-request",
    ],
    [
      "refusal",
      { on: () => openai, faults: { refusal: { kind: "invalid-request" } } },
      "a refusal was read as invalid-request",
    ],
    ["wrong key", { on: () => careless }, "made an image for a wrong key"],
    [
      "rate limit",
      { on: () => openai, faults: { "rate limit": failing } },
      "a model that does not exist was read as unavailable",
    ],
    [
      "cancel",
      { on: () => sdcpp, faults: { cancel: failing } },
      "a cancelled call was read as unavailable",
    ],
    [
      "lost response",
      { on: () => sdcpp, faults: { "lost response": { kind: "lost-job" } } },
      "was not found again",
    ],
    [
      "cost",
      { on: () => openai, change: (entry) => ({ ...entry, vendor_price: null }) },
      "add vendor_price",
    ],
  ])(
    "finds a planted fault of the check %s",
    { tags: "full" },
    async (name, { on, ...planted }, message) => {
      const report = await run({ server: on(), ...planted });
      expect(resultsOf(report)[name]).toMatchObject({ status: "failed" });
      expect(resultsOf(report)[name]?.message).toContain(message);
      expect(isCertified(report)).toBe(false);
    },
  );
});
