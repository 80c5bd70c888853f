import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { createWatermarkKey, detectWatermarks, embedWatermark, type Pixels } from "./index.ts";
import { createNoise } from "./testing/noise.ts";
import { landscape, psnr, toPixels, toSharp } from "./testing/pictures.ts";

const key = createWatermarkKey(Buffer.from("a secret of one installation"));
const otherKey = createWatermarkKey(Buffer.from("a secret of another one"));
const id = "9f3c2a7b11d0e845";
const otherId = "00000000000000ff";

async function marked(width = 768, height = 576, seed = 1, mark = id): Promise<Pixels> {
  const pixels = await landscape(width, height, seed);
  expect(embedWatermark(pixels, mark, key)).toBe(true);
  return pixels;
}

/** Shares of red, green and blue (Rec. 601). */
const brightness = [0.299, 0.587, 0.114];

const ids = (pixels: Pixels, keys = [key]) => detectWatermarks(pixels, keys).map((one) => one.id);

async function encoded(image: Sharp): Promise<Pixels> {
  return toPixels(sharp(await image.toBuffer()));
}

type Change = (pixels: Pixels) => Promise<Pixels>;

const full = { tags: "full" };

const changes: readonly (readonly [string, Change])[] = [
  ["JPEG quality 50", (pixels) => encoded(toSharp(pixels).jpeg({ quality: 50 }))],
  ["WebP quality 75", (pixels) => encoded(toSharp(pixels).webp({ quality: 75 }))],
  ["a third of the size", (pixels) => toPixels(toSharp(pixels).resize(256))],
  ["gamma", (pixels) => toPixels(toSharp(pixels).gamma(1.5))],
  ["a mirror image", (pixels) => toPixels(toSharp(pixels).flop())],
  ["a turn by 90°", (pixels) => toPixels(toSharp(pixels).rotate(90))],
  ["a turn by 33°", (pixels) => toPixels(toSharp(pixels).rotate(33, { background: "#fff" }))],
  ["inversion", (pixels) => toPixels(toSharp(pixels).negate())],
  [
    "skewing and turning",
    (pixels) =>
      toPixels(
        toSharp(pixels).affine([0.97, 0.04, -0.02, 1.02], {
          background: "#222",
          interpolator: "bicubic",
        }),
      ),
  ],
  ["5 % more width", (pixels) => toPixels(toSharp(pixels).resize(806, 576, { fit: "fill" }))],
  [
    "another ratio of width and height",
    (pixels) => toPixels(toSharp(pixels).resize(640, 360, { fit: "fill" })),
  ],
  [
    "a cut of 20 % at each side",
    (pixels) => toPixels(toSharp(pixels).extract({ left: 154, top: 115, width: 460, height: 346 })),
  ],
  [
    "a screenshot",
    async (pixels) =>
      toPixels(
        sharp({
          create: { width: 900, height: 700, channels: 3, background: "#e8e8e8" },
        }).composite([
          { input: await toSharp(pixels).resize(691, 518).png().toBuffer(), left: 90, top: 61 },
        ]),
      ),
  ],
];

/** The gate has a mirror image, and turns by 90° and by 33°. */
const furtherChanges: typeof changes = [
  ["a turn by 180°", (pixels) => toPixels(toSharp(pixels).rotate(180))],
  [
    "a mirror image turned by 270°",
    async (pixels) => toPixels(toSharp(await toPixels(toSharp(pixels).flop())).rotate(270)),
  ],
  ["a turn by 2°", (pixels) => toPixels(toSharp(pixels).rotate(2, { background: "#fff" }))],
];

type Size = readonly [number, number];

const smallSizes: readonly Size[] = [
  [256, 256],
  [300, 900],
  [1536, 640],
];
const largeSizes: readonly Size[] = [[2048, 2048]];

// Images are large: beside other work, a search can take seconds.
describe("a watermark", { timeout: 60_000 }, () => {
  for (const { lane, some, sizes } of [
    { lane: {}, some: changes, sizes: smallSizes },
    { lane: full, some: furtherChanges, sizes: largeSizes },
  ]) {
    it.each(some)("is found after %s", lane, async (_, change) => {
      const pixels = await change(await marked());
      expect(ids(pixels)).toEqual([id]);
    });

    it.each(sizes)("fits an image of %i × %i", lane, async (width, height) => {
      const pixels = await marked(width, height);
      expect(ids(await encoded(toSharp(pixels).jpeg({ quality: 85 })))).toEqual([id]);
    });
  }

  it("is found for each of two images side by side", async () => {
    const [left, right] = [await marked(640, 640, 1), await marked(640, 640, 2, otherId)];
    const both = await toPixels(
      sharp({ create: { width: 1280, height: 640, channels: 3, background: "#fff" } }).composite(
        [left, right].map(({ data }, index) => ({
          input: Buffer.from(data),
          raw: { width: 640, height: 640, channels: 3 as const },
          left: 640 * index,
          top: 0,
        })),
      ),
    );
    expect(ids(both).toSorted()).toEqual([otherId, id]);
  });

  it("is found for each of four images, each in a quarter", full, async () => {
    const expected = ["0000000000000001", "0000000000000002", "0000000000000003", id];
    const parts = await Promise.all(expected.map((mark, seed) => marked(640, 480, seed + 1, mark)));
    const four = await toPixels(
      sharp({ create: { width: 1290, height: 970, channels: 3, background: "#fff" } }).composite(
        parts.map(({ data }, index) => ({
          input: Buffer.from(data),
          raw: { width: 640, height: 480, channels: 3 as const },
          left: 650 * (index % 2),
          top: 490 * (index >> 1),
        })),
      ),
    );
    expect(ids(four).toSorted()).toEqual(expected);
  });

  it("is replaced by a later one", async () => {
    const pixels = await marked();
    embedWatermark(pixels, otherId, key);
    expect(ids(pixels)).toEqual([otherId]);
  });

  it("is read with an older key of the installation", async () => {
    const [found] = detectWatermarks(await marked(), [otherKey, key]);
    expect(found).toMatchObject({ id, key: 1 });
  });

  it("is not read with the key of another installation", async () => {
    expect(ids(await marked(400, 300), [otherKey])).toEqual([]);
  });

  it("is not found in a picture without one", async () => {
    expect(ids(await landscape(400, 300, 3))).toEqual([]);
  });

  it("is not found in noise", full, () => {
    const noise = createNoise(4);
    const data = new Uint8ClampedArray(400 * 400 * 3).map(() => 128 + 40 * noise());
    expect(ids({ data, width: 400, height: 400, channels: 3 })).toEqual([]);
  });

  it("is not found in a single colour", full, () => {
    const data = new Uint8Array(400 * 400 * 3).fill(200);
    expect(ids({ data, width: 400, height: 400, channels: 3 })).toEqual([]);
  });

  it("changes an image by less than anyone sees", async () => {
    const original = await landscape(768, 640);
    const pixels = { ...original, data: Buffer.from(original.data) };
    embedWatermark(pixels, id, key);
    expect(psnr(original, pixels)).toBeGreaterThan(43.5);
    // Nothing but sky.
    const sky = 768 * 90 * 3;
    let largest = 0;
    for (let at = 0; at < sky; at += 3) {
      const change = brightness.reduce(
        (sum, weight, colour) =>
          sum + weight * (pixels.data[at + colour]! - original.data[at + colour]!),
        0,
      );
      largest = Math.max(largest, Math.abs(change));
    }
    expect(largest).toBeLessThan(2.6);
  });

  it("leaves fully transparent pixels as they are, and is found on white", async () => {
    const { data, width, height } = await landscape(640, 640);
    const pixels = await toPixels(
      toSharp({ data, width, height, channels: 3 })
        .ensureAlpha()
        .composite([
          {
            input: Buffer.from(
              `<svg width="640" height="640"><circle cx="320" cy="320" r="300"/></svg>`,
            ),
            blend: "dest-in",
          },
        ]),
    );
    const before = Buffer.from(pixels.data);
    expect(embedWatermark(pixels, id, key)).toBe(true);
    for (let at = 0; at < before.length; at += 4) {
      if (before[at + 3] !== 0) continue;
      if (!before.subarray(at, at + 4).equals(Uint8Array.from(pixels.data.subarray(at, at + 4)))) {
        throw new Error(`transparent pixel ${at / 4} was changed`);
      }
    }
    expect(ids(pixels)).toEqual([id]);
    const onWhite = toSharp(pixels).flatten({ background: "#fff" }).jpeg({ quality: 70 });
    expect(ids(await encoded(onWhite))).toEqual([id]);
  });

  it.each([
    ["smaller than 256 pixels", 255, 255],
    ["mostly transparent", 300, 0],
  ])("is not put into images that are %s", (_, side, alpha) => {
    const data = new Uint8Array(side * side * 4)
      .fill(200)
      .map((value, at) => (at % 4 === 3 ? alpha : value));
    const before = data.slice();
    expect(embedWatermark({ data, width: side, height: side, channels: 4 }, id, key)).toBe(false);
    expect(data).toEqual(before);
  });

  it("has 16 hexadecimal digits", async () => {
    const pixels = await landscape(256, 256);
    expect(() => embedWatermark(pixels, "9F3C", key)).toThrow(RangeError);
  });

  it("needs a secret of 16 bytes", () => {
    expect(() => createWatermarkKey(new Uint8Array(15))).toThrow(RangeError);
  });
});
