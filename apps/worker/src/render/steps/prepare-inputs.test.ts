import { loadCatalogue, loadProviders } from "@atelier/models";
import type { RenderSpec, Task } from "@atelier/schemas";
import sharp from "sharp";
import { expect, it } from "vitest";
import type { LoadedReference } from "./load-references.ts";
import { prepareInputs } from "./prepare-inputs.ts";

const providers = await loadProviders({
  file: undefined,
  keys: { OPENAI_API_KEY: "key" },
  environment: {},
});
const catalogue = await loadCatalogue(undefined, providers);

const spec: RenderSpec = {
  prompt: "a red barn",
  aspectRatio: "1:1",
  imageSize: "1K",
  seed: 7,
  references: [],
  name: null,
  state: null,
  title: null,
  hasClientImages: true,
  texts: [],
};

async function load(role: "source" | "mask", background: string): Promise<LoadedReference> {
  const create = { width: 1_800, height: 1_200, channels: 3 as const, background };
  const bytes = await sharp({ create }).png().toBuffer();
  return { role, name: null, description: "", bytes, mediaType: "image/png", original: bytes };
}

/** Prepares a masked edit of an image that needs 2K. */
async function prepare(model: string, imageSize: string, isSizeUnknown = true) {
  const task: Task = { kind: "edit", strength: null, isSizeUnknown };
  const loaded = [await load("source", "#777"), await load("mask", "#fff")];
  return prepareInputs({ model, spec: { ...spec, imageSize, task } }, loaded, { catalogue });
}

it("refuses another image size than that of a masked image that was unknown on acceptance", async () => {
  await expect(prepare("builtin-illustrator", "1K")).rejects.toMatchObject({
    code: "unsupported_image_size",
    details: [{ path: "image_size", supported: ["2K"] }],
  });
});

it.each([
  ["the image size of the image", "builtin-illustrator", "2K", true],
  ["any image size of a vendor's model", "gpt-image-2.6-flare", "1K", true],
  ["what the API has checked", "builtin-illustrator", "1K", false],
] as const)("accepts %s", async (_, model, imageSize, isSizeUnknown) => {
  const { aspectRatio } = await prepare(model, imageSize, isSizeUnknown);
  expect(aspectRatio).toBe("3:2");
});
