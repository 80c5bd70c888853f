import { describe, expect, it } from "vitest";
import { pickEditSize, pickSize } from "./pick-size.ts";

const entry = {
  id: "painter",
  aspect_ratios: ["1:1", "3:2", "2:3", "16:9", "9:16"],
  default_aspect_ratio: "3:2",
  default_image_size: "2K",
  sizes: null,
  prices_eur: { "1K": "0.01", "2K": "0.02", "4K": "0.04" },
};
const listed = [
  { aspect_ratio: "3:2", image_size: "1K", width: 1_536, height: 1_024 },
  { aspect_ratio: "16:9", image_size: "2K", width: 2_560, height: 1_440 },
];
/** It makes sizes exactly. */
const exact = {
  ...entry,
  sizes: { multiple_of: 16, min: 512, max: 2_048, max_pixels: 4_000_000 },
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
  ])("%s is nearest to %s in %s", (size, aspect_ratio, image_size) => {
    expect(pickSize(entry, [], size)).toEqual({ aspect_ratio, image_size });
  });

  it.each([
    ["16:9", "16:9", "2K"],
    ["32:18", "16:9", "2K"],
    ["1k", "3:2", "1K"],
    ["auto", "3:2", "2K"],
  ])("%s is a name of the model: %s in %s", (size, aspect_ratio, image_size) => {
    expect(pickSize(entry, [], size)).toEqual({ aspect_ratio, image_size });
    expect(pickSize(exact, listed, size)).toEqual({ aspect_ratio, image_size });
  });

  it.each([
    ["four times as small", "256x256"],
    ["more than twice as large", "6000x6000"],
    ["of another shape", "2048x512"],
  ])("is refused when it is %s than what the model makes", (_, size) => {
    expect(() => pickSize(entry, [], size)).toThrow(
      `painter makes no image like ${size}. Use "auto", 1K, 2K, 4K, 1:1, 3:2, 2:3, 16:9, 9:16, or pixels in one of these shapes, with about the area of 1024x1024, 2048x2048, 4096x4096.`,
    );
  });

  it("is refused with the path size", () => {
    expect(() => pickSize(entry, [], "10x10")).toThrow(
      expect.objectContaining({
        code: "unsupported_image_size",
        details: [expect.objectContaining({ path: "size" })],
      }),
    );
  });

  it.each(["auto", undefined])("is the model's default for %s", (size) => {
    expect(pickSize(entry, [], size)).toEqual({ aspect_ratio: "3:2", image_size: "2K" });
  });

  it("is the default one of a model whose names of sizes state no resolution", () => {
    const size = { aspect_ratio: "1:1", image_size: "large" };
    expect(pickSize(named, [], "1024x1024")).toEqual(size);
  });

  it.each([
    ["1536x1024", "3:2", "1K"],
    ["2560x1440", "16:9", "2K"],
  ])("%s is the listed size with the same pixels", (size, aspect_ratio, image_size) => {
    expect(pickSize(exact, listed, size)).toEqual({ aspect_ratio, image_size });
  });

  it.each([
    ["1792x1024", 1_792, 1_024],
    ["512x512", 512, 512],
    // The nearest that the model makes.
    ["1500x1000", 1_504, 1_008],
    ["256x256", 512, 512],
    ["2560x1440", 2_048, 1_440],
  ])("%s is %d × %d for a model that makes exact sizes", (size, width, height) => {
    expect(pickSize(exact, [], size)).toEqual({ width, height });
  });

  it.each(["250x250", "4096x512", "9000x9000"])(
    "%s is refused by a model that makes exact sizes and nothing like it",
    (size) => {
      expect(() => pickSize(exact, listed, size)).toThrow(
        `painter makes no image like ${size}. Use "auto", 1K, 2K, 4K, 1:1, 3:2, 2:3, 16:9, 9:16, or edges from 512 to 2048.`,
      );
    },
  );
});

describe("the size of an edit", () => {
  it.each([
    ["1536x1024", { image_size: "1K" }],
    ["2048x512", { image_size: "1K" }],
    ["2048x2048", { image_size: "2K" }],
    ["auto", {}],
    [undefined, {}],
  ])("is, of %s, %o in any shape", (size, picked) => {
    expect(pickEditSize(entry, size)).toEqual(picked);
  });

  it.each([
    ["1792x1024", false, { width: 1_792, height: 1_024 }],
    ["1790x1024", false, { image_size: "1K" }],
    // A mask keeps the size of the image.
    ["1792x1024", true, { image_size: "1K" }],
  ])("is, of %s by a model that makes exact sizes, with a mask: %s, %o", (size, mask, picked) => {
    expect(pickEditSize(exact, size, mask)).toEqual(picked);
  });

  it("is refused when it has too few pixels", () => {
    expect(pickEditSize(entry, "4k")).toEqual({ image_size: "4K" });
    expect(() => pickEditSize(entry, "16:9")).toThrow(
      'Use "auto", 1K, 2K, 4K, or pixels in one of these shapes',
    );
    expect(() => pickEditSize(entry, "64x64")).toThrow("painter makes no image like 64x64");
  });

  it("follows the image when the names of sizes state no resolution", () => {
    expect(pickEditSize(named, "1024x1024")).toEqual({});
  });
});
