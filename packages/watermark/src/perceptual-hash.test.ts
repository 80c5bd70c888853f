import sharp from "sharp";
import { expect, it } from "vitest";
import { hashDistance, perceptualHash } from "./perceptual-hash.ts";
import { landscape, toPixels, toSharp } from "./testing/pictures.ts";

it("stays nearly the same when an image is encoded, reduced, recoloured or stretched", async () => {
  const original = await landscape(768, 640);
  const hash = perceptualHash(original);
  const jpeg = await toSharp(original).jpeg({ quality: 30 }).toBuffer();
  const variants = [
    sharp(jpeg),
    toSharp(original).resize(256),
    toSharp(original).gamma(1.5),
    toSharp(original).resize(806, 640, { fit: "fill" }),
  ];
  for (const variant of variants) {
    expect(hashDistance(hash, perceptualHash(await toPixels(variant)))).toBeLessThanOrEqual(15);
  }
});

it("differs between images, and after a cut", async () => {
  const original = await landscape(768, 640);
  const cut = toSharp(original).extract({ left: 100, top: 80, width: 568, height: 480 });
  for (const other of [await landscape(768, 640, 3), await toPixels(cut)]) {
    expect(hashDistance(perceptualHash(original), perceptualHash(other))).toBeGreaterThan(31);
  }
});

it("counts the bits in which two hashes differ", () => {
  expect(hashDistance("0".repeat(64), "f".repeat(64))).toBe(256);
  expect(hashDistance("0".repeat(63) + "7", "8" + "0".repeat(63))).toBe(4);
});
