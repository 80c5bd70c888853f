import { expect, it } from "vitest";
import { pickSize } from "./pick-size.ts";

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
  expect(pickSize(entry, { size })).toEqual({ aspectRatio, imageSize });
});

it.each(["auto", undefined])("uses the model's defaults for %s", (size) => {
  expect(pickSize(entry, { size })).toEqual({ aspectRatio: "3:2", imageSize: "2K" });
});

it("omits the size when the model's size names state no resolution", () => {
  const named = { ...entry, default_image_size: "large", prices_eur: { small: "1", large: "2" } };
  expect(pickSize(named, { size: "1024x1024" })).toEqual({
    aspectRatio: "1:1",
    imageSize: "large",
  });
});

it.each([
  ["low", "1K", "1K"],
  ["low", "2K", "1K"],
  ["auto", "2K", "2K"],
  ["standard", "2K", "2K"],
  ["medium", "2K", "2K"],
  ["high", "1K", "2K"],
  ["hd", "2K", "4K"],
  ["hd", "4K", "4K"],
  ["max", "1K", "4K"],
] as const)("quality %s moves %s to %s", (quality, from, to) => {
  const edge = Number.parseInt(from, 10) * 1_024;
  expect(pickSize(entry, { size: `${edge}x${edge}`, quality }).imageSize).toBe(to);
});

it("moves sizes without a resolution in the order of the catalogue", () => {
  const named = { ...entry, default_image_size: "small", prices_eur: { small: "1", large: "2" } };
  expect(pickSize(named, { quality: "hd" }).imageSize).toBe("large");
});
