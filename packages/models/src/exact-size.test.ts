import { describe, expect, it } from "vitest";
import { AppError } from "@atelier/schemas";
import { makesExactly, resolveExactSize } from "./exact-size.ts";

const sizes = { multiple_of: 8, min: 512, max: 4_096, max_pixels: 4_096 * 4_096 };
const listed = [
  { aspect_ratio: "1:1", image_size: "1K", width: 1_024, height: 1_024 },
  { aspect_ratio: "16:9", image_size: "1K", width: 1_368, height: 768 },
  { aspect_ratio: "1:1", image_size: "2K", width: 2_048, height: 2_048 },
  { aspect_ratio: "16:9", image_size: "2K", width: 2_728, height: 1_536 },
];
const entry = {
  id: "m",
  sizes,
  aspect_ratios: ["1:1", "16:9"],
  prices_eur: { "1K": "0.01", "2K": "0.02" },
};

describe("an exact size", () => {
  it.each([
    [1_024, 1_024, "1:1", "1K"],
    // More pixels than 1024², but no more than the 16:9 of 1K.
    [1_368, 768, "16:9", "1K"],
    [512, 512, "1:1", "1K"],
    [1_376, 768, "16:9", "2K"],
    [1_032, 1_024, "1:1", "2K"],
    // More than any listed size: the largest.
    [4_096, 4_096, "1:1", "2K"],
  ])("of %d × %d is planned as %s and priced as %s", (width, height, aspectRatio, imageSize) => {
    expect(resolveExactSize(entry, { width, height }, listed)).toEqual({ aspectRatio, imageSize });
  });

  it.each([
    [1_000, 1_001, { width: 1_000, height: 1_000 }],
    [100, 5_000, { width: 512, height: 4_096 }],
    [8_192, 8_192, { width: 4_096, height: 4_096 }],
    [1_003, 1_024, { width: 1_000, height: 1_024 }],
  ])("of %d × %d is refused with the nearest that the model makes", (width, height, nearest) => {
    const refusal = refusalOf(() => resolveExactSize(entry, { width, height }, listed));
    expect(refusal).toMatchObject({
      code: "unsupported_image_size",
      details: [{ path: "width", code: "unsupported_image_size", nearest: [nearest] }],
    });
    expect(makesExactly(sizes, nearest)).toBe(true);
  });

  it("is refused by a model without sizes, with its nearest listed sizes", () => {
    const wanted = { width: 1_300, height: 800 };
    const refusal = refusalOf(() => resolveExactSize({ ...entry, sizes: null }, wanted, listed));
    expect(refusal?.details).toMatchObject([
      { nearest: [{ width: 1_368, height: 768 }, { width: 1_024 }, { width: 2_728 }] },
    ]);
  });

  it("always suggests a size that the model makes", () => {
    const odd = { multiple_of: 64, min: 64, max: 2_048, max_pixels: 1_000_000 };
    for (let edge = 1; edge < 16_384; edge += 131) {
      const wanted = { width: edge, height: 16_384 - edge };
      const refusal = refusalOf(() => resolveExactSize({ ...entry, sizes: odd }, wanted, listed));
      const [{ nearest }] = (refusal?.details ?? []) as [{ nearest: [(typeof listed)[0]] }];
      expect([wanted, makesExactly(odd, nearest[0])]).toEqual([wanted, true]);
    }
  });
});

function refusalOf(work: () => unknown): AppError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
