import { aspectRatios, pixelSize } from "@atelier/illustrator/pixel-size";
import { describe, expect, it } from "vitest";
import { chooseEditSize, editPixels, smallestEditSize } from "./edit-size.ts";

const model = {
  id: "builtin",
  procedural: true,
  prices_eur: { "4K": "0.04", "1K": "0.01", "2K": "0.02" },
  default_image_size: "1K",
};
const size = (width: number, height: number) => ({ width, height });

describe("the pixels of a built-in edit", () => {
  it.each([
    [size(1_600, 900), "1K", size(1_365, 768)],
    [size(900, 1_600), "2K", size(1_536, 2_731)],
    [size(320, 200), "1K", size(1_296, 810)],
    [size(7, 7), "4K", size(4_096, 4_096)],
  ])("of %o at %s are %o", (source, imageSize, expected) => {
    expect(editPixels(imageSize, source)).toEqual(expected);
  });

  it("are exactly those of an image that the model made in this size", () => {
    for (const imageSize of ["1K", "2K", "4K"]) {
      for (const aspectRatio of aspectRatios) {
        const source = pixelSize(aspectRatio, imageSize) ?? size(1, 1);
        expect(editPixels(imageSize, source)).toEqual(source);
        expect(smallestEditSize(model, source)).toBe(imageSize);
      }
    }
  });

  it("have the area of the image size and the shape of the image", () => {
    for (const source of [size(640, 480), size(333, 1_000), size(4_000, 3_001), size(5_000, 600)]) {
      for (const [imageSize, edge] of [
        ["1K", 1_024],
        ["2K", 2_048],
        ["4K", 4_096],
      ] as const) {
        const { width, height } = editPixels(imageSize, source) ?? size(0, 0);
        expect((width * height) / edge ** 2).toBeCloseTo(1, 1);
        const shape = width / height / (source.width / source.height);
        expect(Math.abs(shape - 1)).toBeLessThan(0.005);
      }
    }
  });

  it("stay within the edges of all file formats for an extreme shape", () => {
    expect(editPixels("4K", size(16_000, 10))).toEqual(size(16_383, 10));
    expect(editPixels("1K", size(1, 16_000))).toEqual(size(1, 16_383));
  });

  it("keep the pixels of an image of an extreme shape", () => {
    expect(editPixels("1K", size(9_000, 30))).toEqual(size(16_383, 55));
    expect(editPixels("1K", size(12, 9_000))).toEqual(size(22, 16_383));
    expect(editPixels("2K", size(9_000, 300))).toEqual(size(11_220, 374));
  });

  it("do not exist for an unknown image size", () => {
    expect(editPixels("8K", size(10, 10))).toBeNull();
  });
});

describe("the image size of an edit", () => {
  it.each([
    [size(64, 48), "1K"],
    [size(1_100, 1_100), "2K"],
    [size(4_000, 3_000), "4K"],
    [size(5_000, 5_000), "4K"],
  ])("is by default the smallest that holds %o: %s", (source, expected) => {
    const request = { requested: undefined, hasMask: false };
    expect(chooseEditSize(model, source, request)).toBe(expected);
    expect(chooseEditSize(model, source, { ...request, hasMask: true })).toBe(expected);
  });

  it("is the requested one without a mask", () => {
    const request = { requested: "2K", hasMask: false };
    expect(chooseEditSize(model, size(4_000, 3_000), request)).toBe("2K");
  });

  it("is the smallest one that makes the same pixels of an extreme shape", () => {
    const request = { requested: "4K", hasMask: false };
    expect(editPixels("4K", size(9_000, 30))).toEqual(size(16_383, 55));
    expect(chooseEditSize(model, size(9_000, 30), request)).toBe("1K");
    expect(chooseEditSize(model, size(9_000, 300), request)).toBe("4K");
    expect(chooseEditSize(model, size(640, 480), request)).toBe("4K");
    expect(chooseEditSize(model, size(640, 480), { ...request, requested: "9K" })).toBe("9K");
  });

  it.each(["1K", "4K"])("must be that of the image with a mask, and not %s", (requested) => {
    const choose = () => chooseEditSize(model, size(1_800, 1_200), { requested, hasMask: true });
    expect(choose).toThrow(
      `With a mask, the result keeps the 1800x1200 pixels of the image, which are 2K and not ${requested}. Use 2K, or omit the mask to get another size.`,
    );
  });

  it("is the requested or the default one of a vendor's model, which charges by it", () => {
    const vendor = { ...model, procedural: false };
    const source = size(4_000, 3_000);
    expect(chooseEditSize(vendor, source, { requested: "2K", hasMask: true })).toBe("2K");
    expect(chooseEditSize(vendor, source, { requested: undefined, hasMask: true })).toBe("1K");
  });
});
