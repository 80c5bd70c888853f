import { testRenders } from "@atelier/generations/claims";
import { readCatalogue, testLane, loadProviders } from "@atelier/models";
import { expect, it } from "vitest";
import { drawAsTest } from "./draw-as-test.ts";
import { planImage } from "./plan-image.ts";
import { planningFor } from "./test-catalogue.ts";

const file = undefined;
const providers = await loadProviders({ file, keys: {}, environment: {} });
const dependencies = { catalogue: await readCatalogue(file, providers) };

function planOf(request: Parameters<typeof planImage>[0]) {
  const { catalogue, tests } = planningFor({ mode: "test" }, "image", dependencies);
  if (tests === null) throw new Error("a test key has a catalogue of tests");
  return drawAsTest(planImage(request, "normal", { catalogue }), tests);
}

it("draws any model for nothing, in the lane of tests, by workers that know tests", () => {
  const plan = planOf({ model: "a-model-of-tomorrow", prompt: "a boat" });
  expect(plan).toMatchObject({
    mode: "test",
    model: "builtin-illustrator",
    namedModel: "a-model-of-tomorrow",
    request: { model: "builtin-illustrator" },
    price: { eachMicroEur: 0n, stepsMicroEur: 0n },
    renders: [{ model: "builtin-illustrator", lane: testLane, needs: testRenders }],
  });
});

it("draws a built-in model with itself", () => {
  expect(planOf({ model: "builtin-pattern", prompt: "tiles" }).model).toBe("builtin-pattern");
});

it("keeps the limits of a known model", () => {
  const request = { model: "dall-e-3", prompt: "a boat", aspect_ratio: "7:1" };
  expect(() => planOf(request)).toThrow("dall-e-3 has no aspect ratio 7:1");
});

it("draws the nearest shape of an aspect ratio and size that only the named model has", () => {
  const [render] = planOf({
    model: "gpt-image-2",
    prompt: "a boat",
    aspect_ratio: "4:5",
    image_size: "2K",
  }).renders;
  expect(render?.spec).toMatchObject({ aspectRatio: "3:4", imageSize: "2K" });
});

it("drops the options that built-in models do not know", () => {
  const [render] = planOf({
    model: "gpt-image-1.5",
    prompt: "a boat",
    background: "transparent",
  }).renders;
  expect(render?.spec).not.toHaveProperty("background");
});
