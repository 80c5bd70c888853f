import { describe, expect, it } from "vitest";
import { addedTile } from "./add-tile.ts";
import { createWatermarkKey, detectWatermarks, embedWatermark, type Pixels } from "./index.ts";
import { moduleOperations } from "./module-operations.ts";
import { hasPixelModule } from "./pixel-module.ts";
import { scriptOperations } from "./pixel-operations.ts";
import { measureStrength } from "./strength.ts";
import { createNoise } from "./testing/noise.ts";
import { landscape, toPixels, toSharp } from "./testing/pictures.ts";

const key = createWatermarkKey(Buffer.from("a secret of one installation"));
const id = "9f3c2a7b11d0e845";

/** Widths that are and are not a multiple of the 16 pixels of a vector. */
const sizes = [
  [256, 256],
  [257, 300],
  [640, 1023],
  [1100, 1040],
] as const;

async function withAlpha(width: number, height: number): Promise<Pixels> {
  const { data } = await toSharp(await landscape(width, height))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Transparent at the left, opaque at the right.
  for (let at = 0; at < width * height; at++) {
    data[4 * at + 3] = Math.min(255, Math.floor((300 * (at % width)) / width));
  }
  return { data, width, height, channels: 4 };
}

const copyOf = (pixels: Pixels): Pixels => ({ ...pixels, data: Buffer.from(pixels.data) });

function largestDifference(one: ArrayLike<number>, other: ArrayLike<number>): number {
  expect(one.length).toBe(other.length);
  let largest = 0;
  for (let at = 0; at < one.length; at++) {
    largest = Math.max(largest, Math.abs(one[at]! - other[at]!));
  }
  return largest;
}

describe.skipIf(!hasPixelModule)("the module for pixels", { timeout: 20_000 }, () => {
  describe.each([
    ["opaque", landscape],
    ["partly transparent", withAlpha],
  ] as const)("with an image that is %s", (_, draw) => {
    it.each(sizes)("reduces %i × %i pixels as the script does", async (width, height) => {
      const pixels = await draw(width, height);
      for (const [size, samples] of [
        [{ width: 64, height: 64 }, 4],
        [{ width: 97, height: 131 }, 2],
        [{ width: 200, height: 210 }, undefined],
      ] as const) {
        const [script, module] = [scriptOperations, moduleOperations].map((one) =>
          one.reduceToLuma(pixels, size, samples),
        );
        expect(largestDifference(script!.values, module!.values)).toBeLessThan(0.01);
      }
    });

    it.each(sizes)("resizes %i × %i pixels as the script does", async (width, height) => {
      const pixels = await draw(width, height);
      for (const size of [
        { width: 64, height: 64 },
        { width: 512, height: 613 },
        { width, height },
      ]) {
        const [script, module] = [scriptOperations, moduleOperations].map((one) =>
          one.resizeToLuma(pixels, size),
        );
        expect(largestDifference(script!.values, module!.values)).toBeLessThan(0.01);
      }
    });

    it.each(sizes)(
      "adds a tile to %i × %i pixels as the script does",
      { tags: "full" },
      async (width, height) => {
        const [script, module] = [await draw(width, height), await draw(width, height)];
        const map = measureStrength(scriptOperations.reduceToLuma(script, { width, height }), 1);
        const noise = createNoise(5);
        const tile = Float32Array.from({ length: addedTile * addedTile }, () => 2 * noise());
        scriptOperations.addTile(script, tile, map);
        moduleOperations.addTile(module, tile, map);
        expect(largestDifference(script.data, module.data)).toBeLessThanOrEqual(1);
      },
    );

    it("marks it so that both ways read the same id", async () => {
      const pixels = await draw(700, 640);
      const [script, module] = [copyOf(pixels), copyOf(pixels)];
      embedWatermark(script, id, key, { operations: scriptOperations });
      embedWatermark(module, id, key, { operations: moduleOperations });
      expect(largestDifference(script.data, module.data)).toBeLessThanOrEqual(1);
      const changed = script.data.filter((value, at) => value !== module.data[at]).length;
      expect(changed / script.data.length).toBeLessThan(0.001);
      const found = [script, module].map((one) => detectWatermarks(one, [key])[0]?.id);
      expect(found).toEqual([id, id]);
    });
  });

  it.each([
    [12, 512, 400],
    [6, 256, 301],
    [12, 9, 700],
  ])("normalises with radius %i as the script does", async (radius, width, height) => {
    const luma = scriptOperations.resizeToLuma(await landscape(256, 256), { width, height });
    const script = scriptOperations.normalise(luma, radius);
    const module = moduleOperations.normalise(luma, radius);
    expect(largestDifference(script.values, module.values)).toBeLessThan(0.01);
    expect(largestDifference(script.gains, module.gains)).toBeLessThan(0.001);
  });

  it.each([
    [{ elements: 1, between: 64, lines: 64 }],
    [{ elements: 64, between: 1, lines: 64 }],
    [{ elements: 64, between: 1, lines: 37 }],
  ])("transforms lines as the script does: %o", (lines) => {
    const noise = createNoise(3);
    const values = Float32Array.from({ length: 64 * 64 }, noise);
    for (const inverse of [false, true]) {
      const [script, module] = [scriptOperations, moduleOperations].map((one) => {
        const [re, im] = [values.slice(), values.toReversed()];
        one.transformLines(re, im, 64, [lines], inverse);
        return [...re, ...im];
      });
      expect(largestDifference(script!, module!)).toBeLessThan(0.001);
    }
  });

  it("adds up turned tiles as the script does", async () => {
    const luma = scriptOperations.resizeToLuma(await landscape(256, 256), {
      width: 300,
      height: 211,
    });
    const matrix = { xx: 0.014, xy: -0.004, yx: 0.003, yy: 0.015 };
    const [script, module] = [scriptOperations, moduleOperations].map((one) =>
      one.addTiles(luma, matrix, 64),
    );
    expect(largestDifference(script!, module!)).toBeLessThan(0.01);
  });

  it("sums the powers of waves as the script does", () => {
    const noise = createNoise(9);
    const table = { power: Float32Array.from({ length: 64 * 34 }, () => noise() ** 2), rows: 64 };
    const waves = {
      x: Float32Array.from({ length: 50 }, () => 9 * noise()),
      y: Float32Array.from({ length: 50 }, () => 9 * noise()),
    };
    const geometries = Float32Array.from({ length: 80 }, () => 0.5 * noise());
    const [script, module] = [scriptOperations, moduleOperations].map((one) =>
      one.sumPowers(table, geometries, waves),
    );
    expect(largestDifference(script!, module!)).toBeLessThan(0.001);
  });

  it("frees its memory after a large image, and works on", { tags: "full" }, async () => {
    const large = await toPixels(toSharp(await landscape(256, 256)).resize(4_000, 4_000));
    const small = await landscape(300, 300);
    const before = moduleOperations.resizeToLuma(small, { width: 64, height: 64 });
    moduleOperations.reduceToLuma(large, { width: 256, height: 256 });
    const after = moduleOperations.resizeToLuma(small, { width: 64, height: 64 });
    expect(after).toEqual(before);
  });
});
