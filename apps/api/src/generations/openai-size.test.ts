import { expect, it } from "vitest";
import { nearestSize } from "./openai-size.ts";

const entry = {
  aspect_ratios: ["1:1", "3:2", "2:3", "16:9", "9:16"],
  default_aspect_ratio: "3:2",
  default_image_size: "2K",
  prices_eur: { "1K": "0.01", "2K": "0.02", "4K": "0.04" },
};

it.each([
  ["256x256", "1:1", "1K"],
  ["1024x1024", "1:1", "1K"],
  ["1536x1024", "3:2", "1K"],
  ["1024x1536", "2:3", "1K"],
  ["1792x1024", "16:9", "1K"],
  ["1024x1792", "9:16", "1K"],
  ["2048x2048", "1:1", "2K"],
  ["3840x2160", "16:9", "2K"],
  ["4096x4096", "1:1", "4K"],
  ["10x9999", "9:16", "1K"],
])("%s is nearest to %s in %s", (size, aspectRatio, imageSize) => {
  expect(nearestSize(entry, size)).toEqual({ aspectRatio, imageSize });
});

it.each(["auto", undefined])("%s is what the model does by default", (size) => {
  expect(nearestSize(entry, size)).toEqual({ aspectRatio: "3:2", imageSize: "2K" });
});

it("leaves the size to the model where its sizes have names that say nothing", () => {
  const named = { ...entry, default_image_size: "large", prices_eur: { small: "1", large: "2" } };
  expect(nearestSize(named, "1024x1024")).toEqual({ aspectRatio: "1:1", imageSize: "large" });
});
