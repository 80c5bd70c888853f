import { describe, expect, it } from "vitest";
import type { StoryImage } from "../story-cards.ts";
import { planDrawings, planUpscales, ppiRange, printedPictures } from "./enlarge.ts";

/** A version of a scene with the size of its picture. */
function version(scene: number, jobId: string, width: number, enlarges?: string): StoryImage {
  const formats = { jpeg: { width, height: width * 0.75 } };
  return { scene, jobId, formats, enlarges, version: 1, text: "Rain" } as unknown as StoryImage;
}

const small = [version(1, "story", 1_152), version(2, "again", 1_152)];
const plan = (size: "2K" | "4K", shown = small, resolution = 160, all = shown) => {
  const resolutions = new Map(shown.map(({ scene = 0 }) => [scene, resolution]));
  return planUpscales("story", "upscaler", size, printedPictures(shown, resolutions), all);
};

describe("the upscales of a book", () => {
  it("name the image that the story shows, its scene and the size", () => {
    const metadata = (scene: string, enlarges: string) => ({
      studio_story: "story",
      studio_scene: scene,
      studio_enlarges: enlarges,
    });
    const request = { model: "upscaler", factor: 2 };
    expect(plan("2K").map(({ body }) => body)).toEqual([
      { ...request, image: { job_id: "story", image: 0 }, metadata: metadata("1", "story") },
      { ...request, image: { job_id: "again" }, metadata: metadata("2", "again") },
    ]);
    expect(plan("4K").map((one) => [one.body?.["factor"], one.ppi])).toEqual([
      [4, 640],
      [4, 640],
    ]);
  });

  it("are quoted once for pictures of one size", () => {
    const [first, second] = plan("2K");
    expect(first?.quoted).toEqual({
      model: "upscaler",
      image: { job_id: "story", image: 0 },
      factor: 2,
    });
    expect(second?.quoted).toEqual(first?.quoted);
  });

  it("leave out pictures that are as large or have 300 ppi", () => {
    expect(plan("2K", [version(1, "story", 2_304)])).toEqual([]);
    expect(plan("4K", [version(1, "story", 2_304)])).toMatchObject([{ body: { factor: 2 } }]);
    expect(plan("4K", small, 300)).toEqual([]);
  });

  it("use a picture that was made before, but not shown", () => {
    const made = version(1, "large", 2_304, "story");
    const other = version(2, "other", 2_304, "story");
    expect(plan("2K", small, 160, [...small, made, other])).toMatchObject([
      { scene: 1, body: null, jobId: "large" },
      { scene: 2, jobId: null },
    ]);
    expect(plan("4K", small, 160, [...small, made])).toMatchObject([{ jobId: null }, {}]);
  });

  it("are at most 4 times as large", () => {
    expect(plan("4K", [version(1, "story", 256)])).toMatchObject([{ body: { factor: 4 } }]);
  });
});

describe("the drawings of a book in a larger size", () => {
  const pictures = printedPictures(small, new Map([[1, 160]]));
  const draw = (versions: readonly StoryImage[]) =>
    planDrawings("2K", pictures, versions, () => ({ prompt: "Rain", metadata: {} }));

  it("are quoted without their texts", () => {
    expect(draw(small)).toMatchObject([
      {
        scene: 1,
        operation: "scene",
        body: { prompt: "Rain", image_size: "2K" },
        quoted: { prompt: "scene", image_size: "2K" },
      },
    ]);
  });

  it("use a picture that was drawn before, but not shown", () => {
    const made = { ...version(1, "large", 2_304), version: 2 };
    expect(draw([...small, made])).toMatchObject([{ scene: 1, body: null, jobId: "large" }]);
    const others = [
      { ...made, text: "Another text" },
      { ...made, enlarges: "story" },
      { ...version(1, "small", 1_152), version: 2 },
      { ...version(2, "other", 2_304), version: 2 },
    ];
    expect(draw([...small, ...others])).toMatchObject([{ scene: 1, jobId: null }]);
  });
});

it("states the lowest and the highest resolution of the pictures that are kept", () => {
  const images = [...small, { ...version(3, "gone", 1), formats: {} }];
  const resolutions = new Map([
    [1, 160.9],
    [2, 171.2],
    [3, 1],
  ]);
  expect(ppiRange(printedPictures(images, resolutions))).toEqual({ lowest: 160, highest: 171 });
  expect(ppiRange([])).toBeNull();
});
