import { describe, expect, it } from "vitest";
import { pickEditSize, pickSize } from "./pick-size.ts";

const entry = {
  id: "painter",
  aspect_ratios: ["1:1", "3:2", "2:3", "16:9", "9:16"],
  default_aspect_ratio: "3:2",
  default_image_size: "2K",
  prices_eur: { "1K": "0.01", "2K": "0.02", "4K": "0.04" },
};
/** Its names of sizes state no resolution. */
const named = { ...entry, default_image_size: "large", prices_eur: { small: "1", large: "2" } };

describe("the size of an image", () => {
  it.each([
    ["512x512", "1:1", "1K"],
    ["1024x1024", "1:1", "1K"],
    ["1536x1024", "3:2", "1K"],
    ["1024x1536", "2:3", "1K"],
    ["1792x1024", "16:9", "1K"],
    ["1024x1792", "9:16", "1K"],
    ["2048x2048", "1:1", "2K"],
    ["3840x2160", "16:9", "2K"],
    ["4096x4096", "1:1", "4K"],
    ["5000x4800", "1:1", "4K"],
  ])("%s is nearest to %s in %s", (size, aspectRatio, imageSize) => {
    expect(pickSize(entry, size)).toEqual({ aspectRatio, imageSize });
  });

  it.each([
    ["four times as small", "256x256"],
    ["more than twice as large", "6000x6000"],
    ["of another shape", "2048x512"],
  ])("is refused when it is %s than what the model makes", (_, size) => {
    expect(() => pickSize(entry, size)).toThrow(
      `painter makes no image like ${size}. Use "auto", or a size with about the pixels of 1024x1024, 2048x2048, 4096x4096 and an aspect ratio of 1:1, 3:2, 2:3, 16:9, 9:16.`,
    );
  });

  it("is refused with the path size", () => {
    expect(() => pickSize(entry, "10x10")).toThrow(
      expect.objectContaining({
        code: "unsupported_image_size",
        details: [expect.objectContaining({ path: "size" })],
      }),
    );
  });

  it.each(["auto", undefined])("is the model's default for %s", (size) => {
    expect(pickSize(entry, size)).toEqual({ aspectRatio: "3:2", imageSize: "2K" });
  });

  it("is the default one of a model whose names of sizes state no resolution", () => {
    expect(pickSize(named, "1024x1024")).toEqual({ aspectRatio: "1:1", imageSize: "large" });
  });
});

describe("the size of an edit", () => {
  it.each([
    ["1536x1024", "1K"],
    ["2048x512", "1K"],
    ["2048x2048", "2K"],
    ["auto", undefined],
    [undefined, undefined],
  ])("is, of %s, %s in any shape", (size, imageSize) => {
    expect(pickEditSize(entry, size)).toBe(imageSize);
  });

  it("is refused when it has too few pixels", () => {
    expect(() => pickEditSize(entry, "64x64")).toThrow("painter makes no image like 64x64");
  });

  it("follows the image when the names of sizes state no resolution", () => {
    expect(pickEditSize(named, "1024x1024")).toBeUndefined();
  });
});
