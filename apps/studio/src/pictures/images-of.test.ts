import type { GenerationResponse } from "@atelier/schemas";
import { expect, it } from "vitest";
import { imagesOf } from "./images-of.ts";

const file = (url: string) => ({ png: { format: "png", url } });

it("reads the scenes of a story as its images, also deleted ones", () => {
  const result = {
    scenes: [
      { scene: 1, image_hash: "a", layers: [], formats: file("first") },
      { scene: 2, image_hash: "b", layers: [] },
    ],
  } as unknown as GenerationResponse;
  expect(imagesOf(result)).toMatchObject([
    { index: 0, hash: "a", url: "first" },
    { index: 1, hash: "b", url: undefined, formats: {} },
  ]);
});

it("reads the only image of a result", () => {
  const result = { image_hash: "a", layers: [], formats: file("only"), seed: 7 };
  expect(imagesOf(result as unknown as GenerationResponse)).toMatchObject([
    { index: 0, hash: "a", url: "only", seed: 7 },
  ]);
});
