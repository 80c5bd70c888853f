import { loadCatalogue, loadProviders, priceCall, type VendorUsage } from "@atelier/models";
import type { ReferenceSpec, RenderSpec } from "@atelier/schemas";
import { expect, it } from "vitest";
import { countsCost, mustBeStaged, priceRenderCall } from "./price-render-call.ts";

const keys = { ARK_API_KEY: "key" };
const providers = await loadProviders({ file: undefined, keys, environment: {} });
const catalogue = await loadCatalogue(undefined, providers);

const reference = (role: ReferenceSpec["role"]): ReferenceSpec => ({
  role,
  name: null,
  description: "",
  source: { kind: "url", url: "https://example.com/a.png", path: role },
});

it.each<[string, RenderSpec["task"], ReferenceSpec["role"][], bigint]>([
  ["no image", undefined, [], 45_000n],
  ["one reference, which is free", undefined, ["style"], 45_000n],
  ["three references", undefined, ["style", "style", "style"], 51_000n],
  ["the image to edit", { kind: "edit", strength: null }, ["source", "mask"], 45_000n],
  ["an edit with a reference", { kind: "edit", strength: null }, ["source", "style"], 48_000n],
  ["two parts", { kind: "combine" }, ["part", "part"], 48_000n],
])("counts the images that the vendor receives: %s", (_, task, roles, micro) => {
  const spec: RenderSpec = {
    prompt: "a fox",
    aspectRatio: "1:1",
    imageSize: "1K",
    seed: 7,
    references: roles.map(reference),
    ...(task !== undefined && { task, capabilities: [task.kind] }),
    name: null,
    state: null,
    title: null,
    hasClientImages: true,
    texts: [],
  };
  const claim = { kind: "image", model: "seedream-5.0-pro", spec } as const;
  const prices = { catalogue, microEurPerUsd: null };
  expect(priceRenderCall(claim, "image", {}, prices).micro).toBe(micro);
});

const none = {};
const stated = { cost: { micro: 42_000n, currency: "USD" } } as const;

it.each([
  ["a call that ended", false, none, none, true],
  ["a call that ended with a stated cost", false, none, stated, true],
  ["a call that may be resumed, without a stated cost", true, none, none, false],
  ["a call that may be resumed, when its cost is first stated", true, none, stated, true],
  ["a resumed call whose stated cost was counted, still open", true, stated, stated, false],
  ["a resumed call whose stated cost was counted, at its end", false, stated, stated, false],
] as const)("counts the cost of %s: %#", (_, isOpen, earlier, usage, counts) => {
  expect(countsCost(isOpen, earlier, usage)).toBe(counts);
});

type PricedModel = NonNullable<Parameters<typeof priceCall>[0]>;

const perImage = (amount: string): PricedModel["vendor_price"] => ({
  currency: "EUR",
  is_estimate: false,
  rules: [{ per: { image: amount } }],
});

it.each<[string, PricedModel["vendor_price"], VendorUsage, boolean]>([
  ["an amount", perImage("0.02"), {}, true],
  ["nothing, of a model that costs nothing", perImage("0"), {}, false],
  ["nothing that is known", null, {}, false],
  ["units of the vendor without a price", null, { units: { image_output_tokens: 1_056 } }, true],
  ["a stated cost of 0", null, { cost: { micro: 0n, currency: "USD" } }, true],
])("stages a cost of %s: %#", (_, vendorPrice, usage, isStaged) => {
  const price = (ofVendor: VendorUsage) =>
    priceCall(
      { vendor_price: vendorPrice, charges_for_refusals: false },
      {
        outcome: "image",
        usage: ofVendor,
        operation: "image",
        imageSize: "1K",
        references: 0,
        steps: null,
        pixels: null,
      },
      null,
    );
  expect(mustBeStaged(price(usage), price({}))).toBe(isStaged);
});
