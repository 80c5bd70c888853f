import type { AppError } from "@atelier/schemas";
import { expect, it } from "vitest";
import { readCatalogue, type Catalogue } from "./catalogue.ts";
import { catalogueEntry } from "./catalogue-entry.ts";
import { assertCapable, resolveModel, type ModelRequest } from "./resolve.ts";

const { entries } = await readCatalogue(undefined, { usable: [], unusable: [] });
const pattern = entries.find(({ id }) => id === "builtin-pattern");
if (pattern === undefined) throw new Error("no model builtin-pattern");

const request: ModelRequest = {
  model: "builtin-pattern",
  aspectRatio: undefined,
  imageSize: undefined,
  referenceImages: 0,
};

function catalogueOf(change: object = {}): Catalogue {
  const entry = { ...pattern!, ...change };
  return {
    entries: [entry],
    unusableIds: new Set(),
    find: () => entry,
    entryOf: () => entry,
    pixelsOf: () => [],
  };
}

function detailsOf(demands: Partial<ModelRequest>, change: object = {}): unknown {
  try {
    resolveModel(catalogueOf(change), { ...request, ...demands });
    return null;
  } catch (error) {
    return (error as AppError).details;
  }
}

it("names every option that the model lacks, with its field and the capability", () => {
  const capabilities = [
    { capability: "seed", path: "seed" },
    { capability: "negative_prompt", path: "negative_prompt" },
    { capability: "transparency", path: "background" },
  ] as const;
  expect(detailsOf({ capabilities })).toMatchObject([
    { code: "model_not_capable", path: "negative_prompt", capability: "negative_prompt" },
    { code: "model_not_capable", path: "background", capability: "transparency" },
  ]);
});

it.each(["edit", "combine", "graphic", "diagram", "story"] as const)(
  "refuses the operation %s for a model without it",
  (operation) => {
    expect(detailsOf({ operation })).toMatchObject([{ path: "model", capability: operation }]);
    expect(detailsOf({ operation }, { operations: [operation] })).toBeNull();
  },
);

it("says which field of a model to look for", () => {
  const messagesOf = (demands: Partial<ModelRequest>, change: object = {}) =>
    (detailsOf(demands, change) as { readonly message: string }[]).map(({ message }) => message);
  const seed = { capability: "seed", path: "seed" } as const;
  expect(messagesOf({ capabilities: [seed] }, { supports_seed: false })).toEqual([
    "builtin-pattern does not support seed. Use a model whose supports_seed is true: GET /v1/models lists them.",
  ]);
  expect(messagesOf({ operation: "story" })).toEqual([
    'builtin-pattern does not support story. Use a model whose operations include "story": GET /v1/models lists them.',
  ]);
  expect(messagesOf({ operation: "combine", referenceImages: 2 })).toEqual([
    "builtin-pattern does not support combine. Use a model whose supports_combine is true: GET /v1/models lists them.",
    "builtin-pattern does not support reference images. Use a model whose supports_combine is true.",
  ]);
  expect(messagesOf({ referenceImages: 2 }, { max_reference_images: 1 })).toEqual([
    "builtin-pattern accepts at most 1 reference image. Send fewer, or use a model with a larger max_reference_images.",
  ]);
});

it("refuses images of a model that only makes other things", () => {
  expect(detailsOf({}, { operations: ["graphic"] })).toMatchObject([{ capability: "image" }]);
});

it("refuses more images than the model's max_n and names the limit", () => {
  expect(detailsOf({ count: 4 }, { max_n: 4 })).toBeNull();
  expect(detailsOf({ count: 5 }, { max_n: 4 })).toMatchObject([
    { path: "n", capability: "n", max: 4 },
  ]);
});

it("refuses an edit without a mask for a model that needs one", () => {
  const inpainting = { operations: ["edit"], supports_mask: true, requires_mask: true };
  const mask = { capability: "mask", path: "mask" } as const;
  expect(detailsOf({ operation: "edit" }, inpainting)).toMatchObject([
    { path: "mask", code: "model_not_capable", capability: "edit" },
  ]);
  expect(detailsOf({ operation: "edit", capabilities: [mask] }, inpainting)).toBeNull();
});

it("names models that the request could use instead", () => {
  const markup = { capability: "markup", path: "markup" } as const;
  const capable = entries.filter((entry) => entry.supports_markup).map(({ id }) => id);
  expect(capable).toEqual(["gpt-image-2.6-sunburst", "gpt-image-2.6-flare"]);
  const entry = { ...pattern, operations: ["edit" as const] };
  const needs = { operation: "edit", capabilities: [markup] } as const;
  expect(() => assertCapable({ entries }, entry, needs)).toThrow(
    "builtin-pattern does not support markup. Use a model whose supports_markup is true, such as gpt-image-2.6-sunburst, gpt-image-2.6-flare: GET /v1/models lists them.",
  );
  const others = entries.map((one) => ({ ...one, retires_at: "2020-01-01T00:00:00Z" }));
  expect(() => assertCapable({ entries: others }, entry, needs)).toThrow(
    "Use a model whose supports_markup is true: GET /v1/models lists them.",
  );
});

it("refuses markup beside a mask, also for a model that takes both", () => {
  const both = { operations: ["edit"], supports_mask: true, supports_markup: true };
  const [mask, markup] = (["mask", "markup"] as const).map((one) => ({
    capability: one,
    path: one,
  }));
  expect(detailsOf({ operation: "edit", capabilities: [markup!] }, both)).toBeNull();
  expect(detailsOf({ operation: "edit", capabilities: [mask!, markup!] }, both)).toMatchObject([
    { code: "model_not_capable", path: "markup", capability: "markup" },
  ]);
});

it.each([
  ["masks without edits", { supports_mask: true }],
  ["markup without edits", { supports_markup: true }],
  ["a required mask without masks", { operations: ["edit"], requires_mask: true }],
  ["combinations of one image", { operations: ["combine"], max_reference_images: 1 }],
  ["stories without multi-turn", { operations: ["image", "story"], supports_multiturn: false }],
  ["multi-turn without stories", { operations: ["image"], supports_multiturn: true }],
  ["an operation without a price for a size", { operation_prices_eur: { edit: { "1K": "0.02" } } }],
])("rejects a catalogue entry with %s", (_, change) => {
  expect(catalogueEntry.safeParse(pattern).success).toBe(true);
  expect(catalogueEntry.safeParse({ ...pattern, ...change }).success).toBe(false);
});

it("names parameters that the model does not allow beside other problems", () => {
  const change = { client_may_set: { steps: { min: 4, max: 20 } } };
  const parameters = { steps: 4 };
  expect(detailsOf({ parameters }, change)).toBeNull();
  expect(
    detailsOf({ parameters: { steps: 21, guidance: 7 }, imageSize: "9K" }, change),
  ).toMatchObject([
    { code: "model_not_capable", path: "parameters.steps", capability: "parameters.steps" },
    { code: "model_not_capable", path: "parameters.guidance", capability: "parameters.guidance" },
    { code: "unsupported_image_size" },
  ]);
});
