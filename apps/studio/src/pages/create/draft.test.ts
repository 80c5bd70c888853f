import type { Model } from "@atelier/schemas";
import { expect, it } from "vitest";
import { againOf, editOf, fitDraft, modelsFor, readDraft, requestOf, type Draft } from "./draft.ts";

const model: Model = {
  id: "painter",
  name: "Painter",
  description: "Paints.",
  provider: "test",
  supports_multiturn: false,
  supports_references: true,
  max_reference_images: 1,
  operations: ["image", "edit"],
  supports_edit: true,
  supports_mask: false,
  supports_markup: false,
  supports_combine: false,
  supports_seed: false,
  supports_negative_prompt: false,
  supports_transparency: false,
  supports_svg: false,
  max_n: 2,
  parameters: null,
  aspect_ratios: ["1:1", "16:9"],
  image_sizes: ["1K"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  pixels: [],
  sizes: null,
  prices: [],
  batch_price_factor: 1,
  status: "available",
  deprecated_at: null,
  retires_at: null,
  successor: null,
};

/** Everything that a form can contain. */
const draft: Draft = {
  model: "painter",
  prompt: " a boat ",
  aspectRatio: "16:9",
  imageSize: "4K",
  count: 3,
  seed: "7",
  negativePrompt: "people",
  background: "transparent",
  strictness: "liberal",
  parameters: { steps: 4, sampler: "Euler" },
  references: [
    { source: { upload_id: "a" }, description: " the boat " },
    { source: { job_id: "b", image: 1 }, description: "the lake" },
  ],
  edit: null,
};

it("starts empty without browser storage", () => {
  expect(readDraft().prompt).toBe("");
});

it("falls back to the defaults of a model for what it does not offer", () => {
  expect(fitDraft(draft, model)).toEqual({
    ...draft,
    imageSize: "1K",
    count: 2,
    seed: "",
    negativePrompt: "",
    background: "opaque",
    parameters: {},
    references: draft.references.slice(0, 1),
  });
});

it("requests an image with everything that differs from the defaults of the service", () => {
  expect(requestOf(draft)).toEqual({
    operation: "image",
    body: {
      model: "painter",
      prompt: "a boat",
      aspect_ratio: "16:9",
      image_size: "4K",
      n: 3,
      seed: 7,
      negative_prompt: "people",
      background: "transparent",
      strictness: "liberal",
      parameters: { steps: 4, sampler: "Euler" },
      reference_images: [
        { description: "the boat", upload_id: "a" },
        { description: "the lake", job_id: "b", image: 1 },
      ],
    },
  });
});

it("requests an edit with its image and mask, without an aspect ratio", () => {
  const edit = { image: { job_id: "b", image: 0 }, maskId: "m" };
  const { operation, body } = requestOf({ ...readDraft(), prompt: "a kite", edit });
  expect(operation).toBe("edit");
  expect(body).toMatchObject({ image: edit.image, mask: { upload_id: "m" } });
  expect(body).not.toHaveProperty("aspect_ratio");
  expect(requestOf({ ...draft, edit }).body).toMatchObject({ parameters: draft.parameters });
});

it("leaves the size of an edit to the service unless one is chosen", () => {
  const edited = { ...draft, ...editOf({ job_id: "b", image: 0 }) };
  const fitted = fitDraft(edited, model);
  expect(fitted.imageSize).toBe("");
  expect(requestOf(fitted).body).not.toHaveProperty("image_size");
  expect(requestOf(fitDraft({ ...edited, imageSize: "1K" }, model)).body).toMatchObject({
    image_size: "1K",
  });
  expect(fitDraft({ ...edited, edit: null }, model).imageSize).toBe("1K");
});

it("offers only models that can do what the draft asks for", () => {
  const edit = { image: { job_id: "b" }, maskId: null };
  const drawer: Model = { ...model, id: "drawer", operations: ["graphic"] };
  expect(modelsFor([model, drawer], draft)).toEqual([model]);
  expect(modelsFor([model], { ...draft, edit })).toEqual([model]);
  expect(modelsFor([model], { ...draft, edit: { ...edit, maskId: "m" } })).toEqual([]);
});

it("restores the request of a job with the seed of one of its images", () => {
  const { body } = requestOf(draft);
  expect({ ...draft, ...againOf(body, 9) }).toEqual({
    ...draft,
    prompt: "a boat",
    count: 1,
    seed: "9",
    references: [
      { source: { upload_id: "a" }, description: "the boat" },
      { source: { job_id: "b", image: 1 }, description: "the lake" },
    ],
  });
});
