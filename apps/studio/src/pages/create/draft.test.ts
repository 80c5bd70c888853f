import type { Model } from "@atelier/schemas";
import { expect, it } from "vitest";
import { emptyEdit } from "./changes.ts";
import {
  againOf,
  changeOf,
  fitDraft,
  hasImages,
  modelsFor,
  newImageOf,
  presetOf,
  readDraft,
  requestOf,
  switchOperation,
  type Draft,
} from "./draft.ts";

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
  style: null,
  edit: null,
  replaced: null,
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
  const edit = { ...emptyEdit, image: { job_id: "b", image: 0 }, maskId: "m" };
  const { operation, body } = requestOf({ ...readDraft(), prompt: "a kite", edit });
  expect(operation).toBe("edit");
  expect(body).toMatchObject({ image: edit.image, mask: { upload_id: "m" } });
  expect(body).not.toHaveProperty("aspect_ratio");
  expect(requestOf({ ...draft, edit }).body).toMatchObject({ parameters: draft.parameters });
});

it("leaves the size of an edit to the service unless one is chosen", () => {
  const edited = { ...draft, ...changeOf(draft, "edit", { job_id: "b", image: 0 }) };
  const fitted = fitDraft(edited, model);
  expect(fitted.imageSize).toBe("");
  expect(requestOf(fitted).body).not.toHaveProperty("image_size");
  expect(requestOf(fitDraft({ ...edited, imageSize: "1K" }, model)).body).toMatchObject({
    image_size: "1K",
  });
  expect(fitDraft({ ...edited, edit: null }, model).imageSize).toBe("1K");
});

it("offers only models that can do what the draft asks for", () => {
  const edit = { ...emptyEdit, image: { job_id: "b" } };
  const drawer: Model = { ...model, id: "drawer", operations: ["graphic"] };
  expect(modelsFor([model, drawer], draft)).toEqual([model]);
  expect(modelsFor([model], { ...draft, edit })).toEqual([model]);
  expect(modelsFor([model], { ...draft, edit: { ...edit, maskId: "m" } })).toEqual([]);
  expect(modelsFor([model], { ...draft, edit: { ...edit, markupId: "h" } })).toEqual([]);
  expect(modelsFor([model], { ...draft, edit: { ...edit, operation: "upscale" } })).toEqual([]);
});

it("restores the request of a job with the seed of one of its images", () => {
  const { operation, body } = requestOf(draft);
  expect({ ...draft, ...againOf({ operation, request: body }, 9) }).toEqual({
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

const image = { job_id: "b", image: 0 };

it("requests a tool with its own fields only", () => {
  const edit = {
    ...emptyEdit,
    operation: "outpaint",
    image,
    values: { left: 20, prompt: "  ", seed: 3 },
  } as const;
  expect(requestOf({ ...draft, edit })).toEqual({
    operation: "outpaint",
    body: { model: "painter", image, left: 20, seed: 3, strictness: "liberal" },
  });
});

it("asks for no price before the images of a request are chosen", () => {
  const erased = { ...draft, ...changeOf(draft, "erase", null) };
  expect(hasImages(draft)).toBe(true);
  expect(hasImages(erased)).toBe(false);
  expect(hasImages({ edit: { ...emptyEdit, operation: "erase", image } })).toBe(false);
  expect(hasImages({ edit: { ...emptyEdit, operation: "erase", image, maskId: "m" } })).toBe(true);
});

it("keeps the image and its mask between operations, and restores the form of an image after them", () => {
  const edited = { ...draft, ...switchOperation(draft, "edit", image) };
  expect(edited).toMatchObject({ prompt: "", references: [], edit: { operation: "edit", image } });
  const masked = { ...edited, edit: { ...emptyEdit, image, maskId: "m", markupId: null } };
  const erased = { ...masked, ...switchOperation(masked, "erase", null) };
  expect(erased.edit).toMatchObject({ operation: "erase", image, maskId: "m" });
  const scaled = { ...erased, ...switchOperation(erased, "upscale", null) };
  expect(scaled.edit).toMatchObject({ image, maskId: null, values: { factor: 2 } });
  expect({ ...scaled, ...newImageOf(scaled) }).toEqual(draft);
});

it("restores the request of an edit with its mask, hints and strength", () => {
  const edit = { ...emptyEdit, image, maskId: "m", markupId: "h", values: { strength: 0.4 } };
  const { operation, body } = requestOf({ ...draft, edit });
  expect(body).toMatchObject({
    image,
    mask: { upload_id: "m" },
    markup: { upload_id: "h" },
    strength: 0.4,
  });
  expect(againOf({ operation, request: body }, 1).edit).toEqual(edit);
});

it("restores the request of a tool with its values", () => {
  const request = { model: "tracer", image, colors: 8, strictness: "normal", output: {} };
  expect(againOf({ operation: "vectorize", request }, undefined)).toMatchObject({
    model: "tracer",
    strictness: "normal",
    edit: { operation: "vectorize", image, values: { colors: 8 } },
  });
});

it("restores the request of a preset with its seed and number of images", () => {
  const { operation, body } = requestOf({ ...draft, references: [] });
  const filled = { ...readDraft(), ...presetOf(readDraft(), { operation, request: body }) };
  expect(requestOf(filled)).toEqual({ operation, body });
  const { prompt: _, ...settings } = body;
  expect(presetOf({ ...draft, prompt: "mine" }, { operation, request: settings }).prompt).toBe(
    "mine",
  );
});

it("applies a preset of a tool to the image that is changed, and keeps the form of an image", () => {
  const before = { ...draft, ...changeOf(draft, "upscale", image) };
  const preset = { operation: "outpaint", request: { model: "painter", left: 8 } } as const;
  const filled = { ...before, ...presetOf(before, preset) };
  expect(filled.edit).toMatchObject({ operation: "outpaint", image, values: { left: 8 } });
  expect(filled.replaced).toEqual(before.replaced);
});

it("keeps the painted area and the hints under a preset of an edit", () => {
  const edit = { ...emptyEdit, image, maskId: "m", markupId: "h" };
  const before = { ...draft, ...changeOf(draft, "edit", image), edit };
  const request = { model: "painter", prompt: "at night", strength: 0.4 };
  const filled = { ...before, ...presetOf(before, { operation: "edit", request }) };
  expect(filled.edit).toEqual({ ...edit, values: { strength: 0.4 } });
  expect(filled.prompt).toBe("at night");
  expect(filled.replaced).toEqual(before.replaced);
});

it("keeps the settings of an image under a preset of a tool", () => {
  const before = { ...draft, aspectRatio: "16:9", negativePrompt: "people" };
  const request = { model: "scaler", factor: 4 };
  const filled = { ...before, ...presetOf(before, { operation: "upscale", request }) };
  expect(filled).toMatchObject({
    model: "scaler",
    strictness: "",
    edit: { values: { factor: 4 } },
  });
  expect({ ...filled, ...newImageOf(filled) }).toEqual({ ...before, strictness: "" });
});
