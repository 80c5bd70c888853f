import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ImageFile } from "../provider.ts";
import { fitDimensions } from "./fit-dimensions.ts";

async function image(width: number, height: number): Promise<ImageFile> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: "#3a6ea5" } })
    .png()
    .toBuffer();
  return { bytes, mediaType: "image/png" };
}

/** As FLUX.3 at fal takes references. */
function fit(original: ImageFile): Promise<ImageFile> {
  return fitDimensions(original, { minEdge: 256, maxPixels: 4_000_000 });
}

describe("an image for a vendor that takes 256 pixels per edge and 4 megapixels", () => {
  it.each([
    [256, 256],
    [1_024, 768],
    [2_000, 2_000],
  ])("of %i × %i pixels is sent as it is", async (width, height) => {
    const original = await image(width, height);
    expect(await fit(original)).toBe(original);
  });

  const small: [number, number, number, number][] = [
    // Too small: both edges are enlarged.
    [64, 64, 256, 256],
    [100, 200, 256, 512],
    // A strip that would exceed 4 megapixels with 256 pixels of height.
    [8_000, 20, 15_625, 256],
  ];
  const large: [number, number, number, number][] = [
    // More than 4 megapixels.
    [4_000, 4_000, 2_000, 2_000],
    [6_000, 1_500, 4_000, 1_000],
    [30_000, 300, 15_625, 256],
  ];
  for (const [options, sizes] of [
    [{}, small],
    [{ tags: "full" }, large],
  ] as const) {
    it.each(sizes)(
      "of %i × %i pixels is sent with %i × %i",
      options,
      async (width, height, toWidth, toHeight) => {
        const { bytes } = await fit(await image(width, height));
        const size = await sharp(bytes).metadata();
        expect([size.width, size.height]).toEqual([toWidth, toHeight]);
        expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(256);
        expect(size.width * size.height).toBeLessThanOrEqual(4_000_000);
      },
    );
  }

  it("keeps the shape of a photograph that is stored sideways", async () => {
    const { bytes } = await image(4_000, 2_000);
    const sideways = await sharp(bytes).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const fitted = await fit({ bytes: sideways, mediaType: "image/jpeg" });
    const { width, height } = await sharp(fitted.bytes).metadata();
    expect(height / width).toBeCloseTo(2, 2);
  });
});

it("is sent as it is to a vendor without limits", async () => {
  const original = await image(8, 8);
  expect(await fitDimensions(original, {})).toBe(original);
});
