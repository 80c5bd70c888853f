import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { assertHeader, readImageHeader } from "./image-header.ts";
import { readOrientation } from "./orientation.ts";
import {
  claimJpegSize,
  claimWebpSize,
  pngChunk,
  pngHeader,
  progressiveJpeg,
  twoColours,
  whitePng,
} from "./testing/images.ts";

const maxPixels = 40_000_000;
const grey = { bitDepth: 8, colourType: 0 };
const rgba = { bitDepth: 8, colourType: 6 };

/**
 * An extended WebP that claims a canvas size, up to 2^24 pixels per edge, and optionally animation.
 */
function webpHeader(width: number, height: number, isAnimated = false): Buffer {
  const body = Buffer.alloc(10);
  body.writeUInt8(isAnimated ? 2 : 0, 0);
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  const chunk = Buffer.concat([Buffer.from("VP8X"), size, body]);
  size.writeUInt32LE(chunk.length + 4);
  return Buffer.concat([Buffer.from("RIFF"), size, Buffer.from("WEBP"), chunk]);
}

async function animatedWebp(): Promise<Buffer> {
  const frames = ["#ff0000", "#00ff00"].map((background) =>
    sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer();
}

describe("reading an image header", () => {
  test.each(["png", "jpeg", "webp", "avif"] as const)(
    "returns the same values as sharp for a %s",
    async (format) => {
      const bytes = await twoColours().withIccProfile("p3").toFormat(format).toBuffer();
      const { icc } = await sharp(bytes).metadata();
      const header = readImageHeader(bytes);
      expect(header).toMatchObject({
        mediaType: `image/${format}`,
        width: 40,
        height: 20,
        isAnimated: false,
      });
      expect(header.profileBytes).toBeGreaterThan(0);
      expect(icc).toBeDefined();
    },
  );

  test.each(
    (["png", "jpeg", "webp"] as const).flatMap((format) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => [format, orientation] as const),
    ),
  )("returns the displayed size of a %s with the EXIF orientation %d", async (format, turn) => {
    const bytes = await twoColours()
      .withMetadata({ orientation: turn })
      .toFormat(format)
      .toBuffer();
    const { width, height } = (await sharp(bytes).metadata()).autoOrient;
    expect(readImageHeader(bytes)).toMatchObject({ width, height });
  });

  test.each([
    ["little-endian", "49492a0008000000010012010300010000000600000000000000", 6],
    ["big-endian", "4d4d002a00000008000101120003000000010006000000000000", 6],
    ["of another type", "4d4d002a00000008000101120004000000010006000000000000", 1],
    ["out of range", "4d4d002a00000008000101120003000000010009000000000000", 1],
    ["cut off", "4d4d002a000000080001011200030000", 1],
    ["in a directory outside of the data", "4d4d002affffffff0001", 1],
    ["empty", "", 1],
  ])("reads EXIF data that is %s", (_name, hex, expected) => {
    expect(readOrientation(Buffer.from(hex, "hex"))).toBe(expected);
    expect(readOrientation(Buffer.from(`457869660000${hex}`, "hex"))).toBe(expected);
  });

  test("supports lossless WebP", async () => {
    const bytes = await twoColours().webp({ lossless: true }).toBuffer();
    expect(readImageHeader(bytes)).toMatchObject({ width: 40, height: 20 });
  });

  test.each([1, 98])("supports a progressive JPEG of %d scans", async (scans) => {
    const bytes = progressiveJpeg(64, scans);
    expect(readImageHeader(bytes)).toMatchObject({ width: 64, height: 64 });
    const decoded = await sharp(bytes, { failOn: "error" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(decoded.info).toMatchObject({ width: 64, height: 64 });
  });

  test("fails as undecodable without a size", () => {
    const bytes = Buffer.from("\x89PNG\r\n\x1a\n<script>", "latin1");
    expect(() => readImageHeader(bytes)).toThrow(
      expect.objectContaining({ reason: "undecodable" }),
    );
  });
});

describe("rejects by its header, in less than 100 ms of CPU time and 50 MB, an image that", () => {
  const jpeg = () => twoColours().jpeg().toBuffer();
  const cases: readonly (readonly [string, string, () => Promise<Buffer> | Buffer])[] = [
    ["is an RGBA PNG of 40,000,000 × 1", "too_many_pixels", () => pngHeader(40_000_000, 1, rgba)],
    ["is a grey PNG of 40,000,000 × 1", "too_many_pixels", () => pngHeader(40_000_000, 1, grey)],
    ["is a PNG of 1 × 16,385", "too_many_pixels", () => pngHeader(1, 16_385, grey)],
    ["is a PNG of 16,384 × 16,384", "too_many_pixels", () => whitePng(16_384, 16_384)],
    [
      "is a JPEG of 65,500 × 1",
      "too_many_pixels",
      async () => claimJpegSize(await jpeg(), 65_500, 1),
    ],
    ["is a WebP of 16,777,216 × 1", "too_many_pixels", () => webpHeader(16_777_216, 1)],
    [
      "is a lossless WebP of 16,384 × 16,384",
      "too_many_pixels",
      async () =>
        claimWebpSize(await twoColours().webp({ lossless: true }).toBuffer(), 16_384, 16_384),
    ],
    ["is a JPEG of 883 scans", "undecodable", () => progressiveJpeg(6_320, 882)],
    ["is an animated WebP", "animated", animatedWebp],
    ["declares itself animated", "animated", () => webpHeader(16, 16, true)],
    ["is an animated PNG", "animated", () => whitePng(16, 16, pngChunk("acTL", Buffer.alloc(8)))],
    [
      "has a colour profile of more than 1 MB",
      "too_much_metadata",
      () => whitePng(16, 16, pngChunk("iCCP", Buffer.alloc(1_100_000))),
    ],
    [
      "has more than 4 MB of texts",
      "too_much_metadata",
      () =>
        whitePng(
          16,
          16,
          ...Array.from({ length: 5 }, () => pngChunk("zTXt", Buffer.alloc(1_000_000))),
        ),
    ],
    [
      "has more than 10,000 parts",
      "too_much_metadata",
      () =>
        whitePng(
          16,
          16,
          Buffer.concat(Array.from({ length: 10_001 }, () => pngChunk("tEXt", Buffer.alloc(0)))),
        ),
    ],
  ];

  test.each(cases)("%s", async (_name, reason, make) => {
    const bytes = await make();
    const memory = process.memoryUsage.rss();
    const before = process.threadCpuUsage();
    expect(() => assertHeader(bytes, maxPixels)).toThrow(expect.objectContaining({ reason }));
    const { user, system } = process.threadCpuUsage(before);
    expect(user + system).toBeLessThan(100_000);
    expect(process.memoryUsage.rss() - memory).toBeLessThan(50_000_000);
  });
});
