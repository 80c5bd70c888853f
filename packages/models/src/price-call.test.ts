import { describe, expect, it } from "vitest";
import { loadCatalogue } from "./catalogue.ts";
import { priceCall, type CallFacts, type PricedModel } from "./price-call.ts";
import { loadProviders, vendorKeys } from "./provider-settings.ts";
import { readGeminiUsage } from "./providers/gemini/gemini-usage.ts";
import { readOpenAiUsage } from "./providers/openai/openai-usage.ts";
import { vendorPrice } from "./vendor-price.ts";

const rate = 920_000n;

const facts: CallFacts = {
  outcome: "image",
  usage: {},
  operation: "image",
  imageSize: "1K",
  references: 0,
  steps: null,
  pixels: { width: 1_024, height: 1_024 },
};

const modelOf = (price: object, charges_for_refusals = false): PricedModel => ({
  vendor_price: vendorPrice.parse(price),
  charges_for_refusals,
});
const perImage = modelOf({ rules: [{ per: { image: "0.04" } }] });
const byTokens = modelOf({
  rules: [{ per: { million_text_input_tokens: "5", million_image_output_tokens: "30" } }],
});
const responseOf = (body: object) => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});

describe("documented responses at the catalogue's prices", async () => {
  const keys = Object.fromEntries(Object.values(vendorKeys).map((name) => [name, "key"]));
  const providers = await loadProviders({ file: undefined, keys, environment: {} });
  const catalogue = await loadCatalogue(undefined, providers);
  const priced = (model: string, changes: Partial<CallFacts>) =>
    priceCall(catalogue.entryOf(model), { ...facts, ...changes }, rate);

  it("prices OpenAI's example to the micro-unit", () => {
    // platform.openai.com, "Create image", example response, in a copy of 2026-11-24.
    const usage = readOpenAiUsage(
      responseOf({
        usage: {
          total_tokens: 100,
          input_tokens: 50,
          output_tokens: 50,
          input_tokens_details: { text_tokens: 10, image_tokens: 40 },
        },
      }),
    );
    // 10 × 5 + 40 × 8 + 50 × 30 micro-USD.
    expect(priced("gpt-image-2", { usage })).toMatchObject({
      basis: "computed",
      micro: 1_870n,
      currency: "USD",
      microEur: 1_720n,
      microEurPerUsd: rate,
    });
  });

  it("prices a Gemini response with thoughts to the micro-unit", () => {
    // Fields of GenerateContentResponseUsageMetadata (@google/genai 3.1.0, read on 2026-11-24).
    const usage = readGeminiUsage(
      responseOf({
        usageMetadata: {
          promptTokenCount: 14,
          candidatesTokenCount: 1_120,
          thoughtsTokenCount: 180,
          candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_120 }],
        },
      }),
    );
    // 14 × 2 + 180 × 12 + 1,120 × 120 micro-USD.
    expect(priced("gemini-3-pro-image", { usage })).toMatchObject({
      basis: "computed",
      micro: 136_588n,
    });
  });

  it("prices images by their started megapixels", () => {
    // fal.ai, llms.txt of FLUX.1 Fill, read on 2026-11-22: $0.05 per megapixel, rounded up.
    const pixels = { width: 1_024, height: 1_024 };
    expect(priced("fal-flux-1-fill", { pixels, operation: "edit" }).micro).toBe(100_000n);
    const small = { width: 1_000, height: 1_000 };
    expect(priced("fal-flux-1-fill", { pixels: small, operation: "edit" }).micro).toBe(50_000n);
  });

  it("prices images of vendors with one price per image", () => {
    // recraft.ai/docs, "API units", read on 2026-11-22: $0.035 per raster image.
    expect(priced("recraft-4.1", {})).toMatchObject({ basis: "computed", micro: 35_000n });
  });

  it("knows the cost of built-in models", () => {
    expect(priced("builtin-illustrator", {})).toMatchObject({ basis: "computed", microEur: 0n });
  });
});

it("prefers the cost that the vendor states", () => {
  const usage = { cost: { micro: 30_000n, currency: "USD" as const } };
  expect(priceCall(perImage, { ...facts, usage, outcome: "unknown" }, rate)).toMatchObject({
    basis: "reported",
    micro: 30_000n,
    microEur: 27_600n,
  });
});

it("rounds once, half up", () => {
  const model = modelOf({ rules: [{ per: { million_image_output_tokens: "0.5" } }] });
  const costOf = (tokens: number) =>
    priceCall(model, { ...facts, usage: { units: { image_output_tokens: tokens } } }, rate).micro;
  expect([costOf(1), costOf(2), costOf(3)]).toEqual([1n, 1n, 2n]);
});

it("uses the first rule that matches operation, size, references and steps", () => {
  const model = modelOf({
    currency: "EUR",
    rules: [
      { operations: ["edit"], per: { image: "0.1" } },
      { image_sizes: ["2K"], min_references: 1, per: { image: "0.2", reference: "0.01" } },
      { min_steps: 20, per: { step: "0.001" } },
      { per: { image: "0.05" } },
    ],
  });
  const costOf = (changes: Partial<CallFacts>) =>
    priceCall(model, { ...facts, ...changes }, null).microEur;
  expect(costOf({ operation: "edit", imageSize: "2K", references: 2 })).toBe(100_000n);
  expect(costOf({ imageSize: "2K", references: 2 })).toBe(220_000n);
  expect(costOf({ imageSize: "2K", steps: 28 })).toBe(28_000n);
  expect(costOf({ steps: 19 })).toBe(50_000n);
  expect(costOf({})).toBe(50_000n);
});

const unknown = { basis: "unknown", micro: null, microEur: null };

it.each<[string, PricedModel | null, Partial<CallFacts>]>([
  ["a model without a price", { vendor_price: null, charges_for_refusals: false }, {}],
  ["a model that left the catalogue", null, {}],
  ["tokens that the vendor did not state", byTokens, {}],
  ["a lost response", perImage, { outcome: "unknown" }],
  ["a call that timed out", perImage, { outcome: "timed-out" }],
  [
    "a refusal that may be charged",
    { ...byTokens, charges_for_refusals: true },
    { outcome: "refused" },
  ],
])("has no cost, instead of 0, for %s", (_, model, changes) => {
  expect(priceCall(model, { ...facts, ...changes }, rate)).toMatchObject(unknown);
});

it("knows that a model without a vendor costs nothing, also for a lost response", () => {
  const free = modelOf({ currency: "EUR", rules: [{ per: { call: "0" } }] });
  const lost = priceCall(free, { ...facts, outcome: "unknown" }, null);
  expect(lost).toMatchObject({ basis: "computed", microEur: 0n });
});

it("counts the image of a call whose first response was lost", () => {
  const stated = { input_pixels: 4_096 };
  const lost = priceCall(
    perImage,
    { ...facts, usage: { units: stated }, outcome: "unknown" },
    rate,
  );
  expect(lost.units).toEqual(stated);
  const resumed = priceCall(perImage, { ...facts, usage: { units: lost.units } }, rate);
  expect(resumed).toMatchObject({ basis: "computed", micro: 40_000n, units: { images: 1 } });
});

it("counts all input tokens as text when OpenAI states no details", () => {
  const usage = readOpenAiUsage(responseOf({ usage: { input_tokens: 20, output_tokens: 50 } }));
  expect(usage.units).toEqual({ text_input_tokens: 20, image_output_tokens: 50 });
});

it("has a cost without EUR when no rate is set", () => {
  expect(priceCall(perImage, facts, null)).toMatchObject({ micro: 40_000n, microEur: null });
});

it.each([
  ["rate-limited", 0n],
  ["unavailable", 0n],
  ["invalid-request", 0n],
  ["out-of-quota", 0n],
  ["refused", 40_000n],
  ["wrong-size", 40_000n],
] as const)("prices a call that is %s", (outcome, micro) => {
  const model = { ...perImage, charges_for_refusals: true };
  expect(priceCall(model, { ...facts, outcome }, rate).micro).toBe(micro);
});

it("estimates a refusal as free when the vendor charges for none", () => {
  expect(priceCall(perImage, { ...facts, outcome: "refused" }, rate)).toMatchObject({
    basis: "estimated",
    micro: 0n,
  });
});

it("charges stated tokens of a refusal", () => {
  const usage = { units: { text_input_tokens: 20, image_output_tokens: 0 } };
  expect(priceCall(byTokens, { ...facts, outcome: "refused", usage }, rate)).toMatchObject({
    basis: "computed",
    micro: 100n,
  });
});

it.each([
  ["an unknown unit", { rules: [{ per: { picture: "1" } }] }],
  ["no unit", { rules: [{ per: {} }] }],
  ["a number", { rules: [{ per: { image: 0.04 } }] }],
  ["no rule", { rules: [] }],
])("rejects a price with %s", (_, price) => {
  expect(vendorPrice.safeParse(price).success).toBe(false);
});
