import { deflateSync } from "node:zlib";
import { scaleToEdit } from "@atelier/schemas";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cleanImage, type CleanImage } from "./image.ts";
import { readImageHeader } from "./image-header.ts";
import {
  claimJpegSize,
  claimWebpSize,
  noise,
  pngChunk,
  twoColours,
  whitePng,
} from "./testing/images.ts";

const limits = { maxPixels: 1_000_000 };

async function clean(bytes: Uint8Array): Promise<CleanImage> {
  return cleanImage(bytes, limits);
}

/** The colour of one pixel of an encoded image: red, green, blue and optionally alpha. */
async function pixel(bytes: Uint8Array, left: number, top: number): Promise<number[]> {
  return [...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}

describe("cleanImage re-encodes valid images", () => {
  test.each([
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
    ["webp", "image/jpeg"],
    ["avif", "image/jpeg"],
  ] as const)("%s becomes %s with the same size and picture", async (format, mediaType) => {
    const image = await clean(await twoColours().toFormat(format).toBuffer());
    expect(image).toMatchObject({ mediaType, width: 40, height: 20 });
    expect(readImageHeader(image.bytes).mediaType).toBe(mediaType);
    const [red = 0, , blue = 0] = await pixel(image.bytes, 2, 10);
    expect(red - blue).toBeGreaterThan(200);
  });

  test.each(["png", "webp", "avif"] as const)("keeps the transparency of a %s", async (format) => {
    const background = { r: 0, g: 255, b: 0, alpha: 0.5 };
    const source = sharp({ create: { width: 8, height: 8, channels: 4, background } });
    const image = await clean(await source.toFormat(format, { lossless: true }).toBuffer());
    expect(image.mediaType).toBe("image/png");
    expect(await pixel(image.bytes, 4, 4)).toEqual([0, 255, 0, 128]);
  });

  test.each([
    ["24 megapixels", 6_000, 4_000],
    ["48 megapixels", 8_064, 6_048],
  ])(
    "scales a JPEG of %s that is stored sideways, and its mask alike",
    async (_name, height, width) => {
      // Red above blue as it is shown; stored with the red half at the left.
      const flat = (w: number, h: number, background: string) => ({
        create: { width: w, height: h, channels: 3, background } as const,
      });
      const photo = await sharp(flat(height, width, "#d02010"))
        .composite([{ input: flat(height / 2, width, "#1020d0"), left: height / 2, top: 0 }])
        .removeAlpha()
        .jpeg()
        .withMetadata({ orientation: 6 })
        .toBuffer();
      const cleaned = await cleanImage(photo, { maxPixels: 24_000_000, maxJpegPixels: 50_000_000 });
      const mask = await sharp(flat(width, height, "#ffffff"))
        .jpeg()
        .toBuffer();
      const size = scaleToEdit({ width, height });
      expect(size.width * size.height).toBeLessThanOrEqual(4_096 * 4_096);
      expect(size.width / size.height).toBeCloseTo(width / height, 3);
      expect(cleaned).toMatchObject(size);
      expect(
        await cleanImage(mask, { maxPixels: 24_000_000, maxJpegPixels: 50_000_000 }),
      ).toMatchObject(size);
      const small = sharp(cleaned.bytes).resize(2, 4, { fit: "fill", kernel: "nearest" }).raw();
      const [red, , , ...rest] = await small.toBuffer();
      expect(red).toBeGreaterThan(180);
      expect(rest.at(-1)).toBeGreaterThan(180);
    },
  );

  test("applies and removes the orientation", async () => {
    const turned = await twoColours().withMetadata({ orientation: 6 }).png().toBuffer();
    const image = await clean(turned);
    expect(image).toMatchObject({ width: 20, height: 40 });
    expect(await pixel(image.bytes, 10, 2)).toEqual([255, 0, 0]);
    expect(await pixel(image.bytes, 10, 37)).toEqual([0, 0, 255]);
    expect((await sharp(image.bytes).metadata()).orientation).toBeUndefined();
  });

  test.each(["png", "jpeg", "webp", "avif"] as const)(
    "removes the metadata of a %s",
    async (format) => {
      const source = await twoColours()
        .withExif({ IFD0: { Copyright: "canary-exif" } })
        .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>canary-xmp</x:xmpmeta>")
        .withIccProfile("p3")
        .toFormat(format)
        .toBuffer();
      expect(Object.keys(await sharp(source).metadata())).toEqual(
        expect.arrayContaining(["exif", "icc", "xmp"]),
      );
      const { bytes } = await clean(source);
      expect(Buffer.from(bytes).includes("canary")).toBe(false);
      const { exif, icc, xmp } = await sharp(bytes).metadata();
      expect({ exif, icc, xmp }).toEqual({});
    },
  );

  test("converts CMYK and 16 bits to sRGB with 8 bits", async () => {
    const ink = await clean(await twoColours().toColourspace("cmyk").jpeg().toBuffer());
    const sixteenBit = await clean(await twoColours().toColourspace("rgb16").png().toBuffer());
    for (const { bytes } of [ink, sixteenBit]) {
      expect(await sharp(bytes).metadata()).toMatchObject({
        space: "srgb",
        depth: "uchar",
        channels: 3,
      });
    }
  });
});

describe("polyglots and damaged images", () => {
  const page = "<script>alert('payload')</script>";

  test.each(["png", "jpeg", "webp", "avif"] as const)(
    "a %s with something else appended keeps only its pixels",
    async (format) => {
      const polyglot = Buffer.concat([
        await twoColours().toFormat(format).toBuffer(),
        Buffer.from(`PK\u0003\u0004${page}`),
      ]);
      const { bytes } = await clean(polyglot);
      expect(Buffer.from(bytes).includes("payload")).toBe(false);
    },
  );

  test("a JPEG with SVG and HTML in its comment keeps only its pixels", async () => {
    const jpeg = await twoColours().jpeg().toBuffer();
    const comment = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${page}</svg>`);
    const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
    const polyglot = Buffer.concat([jpeg.subarray(0, 2), marker, comment, jpeg.subarray(2)]);
    const image = await clean(polyglot);
    expect(image.mediaType).toBe("image/jpeg");
    expect(Buffer.from(image.bytes).includes("payload")).toBe(false);
  });

  test.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ["SVG after an XML declaration", '<?xml version="1.0"?><svg/>'],
    ["HTML", "<!doctype html><html></html>"],
    ["GIF", "GIF89a\u0001\u0000\u0001\u0000"],
    ["PDF", "%PDF-1.7\n"],
    ["zip", "PK\u0003\u0004"],
    ["HEIC", "\0\0\0\x1cftypheic\0\0\0\0"],
    ["TIFF", "II*\0"],
    ["BMP", "BM\0\0\0\0"],
    ["icon", "\0\0\x01\0"],
    ["ELF", "\x7fELF"],
    ["WAV, a RIFF that is not WebP", "RIFF\0\0\0\0WAVEfmt "],
    ["an image after a byte order mark", "\xef\xbb\xbf\x89PNG\r\n\x1a\n"],
    ["nothing", ""],
  ])("%s is not an image", (_name, start) => {
    const bytes = Buffer.from(start, "latin1");
    expect(() => readImageHeader(bytes)).toThrow(
      expect.objectContaining({ reason: "not_an_image" }),
    );
  });

  test.each([
    ["PNG", "\x89PNG\r\n\x1a\n"],
    ["JPEG", "\xff\xd8\xff\xe0"],
    ["WebP", "RIFF\xff\0\0\0WEBPVP8 "],
    ["AVIF", "\0\0\0\x1cftypavif\0\0\0\0"],
  ])("a %s signature before HTML is undecodable", async (_name, signature) => {
    const bytes = Buffer.from(signature + page.repeat(20), "latin1");
    await expect(clean(bytes)).rejects.toMatchObject({ reason: "undecodable" });
  });

  test.each(["png", "jpeg", "webp", "avif"] as const)(
    "a truncated %s is undecodable",
    async (format) => {
      const complete = await noise().toFormat(format).toBuffer();
      await expect(clean(complete.subarray(0, complete.length / 2))).rejects.toMatchObject({
        reason: "undecodable",
      });
    },
  );

  test("a PNG with damaged pixels is undecodable", async () => {
    const damaged = await noise().png().toBuffer();
    const pixels = damaged.indexOf("IDAT") + 4;
    damaged.fill(0xff, pixels, pixels + 64);
    await expect(clean(damaged)).rejects.toMatchObject({ reason: "undecodable" });
  });
});

describe("decompression bombs are refused before decoding", { timeout: 30_000 }, () => {
  test("a PNG of 14000 × 14000 in 50 kB", async () => {
    const bomb = whitePng(14_000, 14_000);
    expect(bomb.byteLength).toBeLessThan(60_000);
    const before = process.memoryUsage().rss;
    await expect(clean(bomb)).rejects.toMatchObject({ reason: "too_many_pixels" });
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test("a PNG with one pixel more than allowed, but not one at the limit", async () => {
    expect(await clean(whitePng(1000, 1000))).toMatchObject({ width: 1000 });
    await expect(clean(whitePng(1_000_001, 1))).rejects.toMatchObject({
      reason: "too_many_pixels",
    });
  });

  test("a JPEG and a WebP that claim the maximum dimensions", async () => {
    const jpeg = claimJpegSize(await twoColours().jpeg().toBuffer(), 65_500, 65_500);
    const webp = claimWebpSize(
      await twoColours().webp({ lossless: true }).toBuffer(),
      16_383,
      16_383,
    );
    for (const bomb of [jpeg, webp]) {
      await expect(clean(bomb)).rejects.toMatchObject({ reason: "too_many_pixels" });
    }
  });

  test.each([
    ["text", "zTXt", "Comment\0\0"],
    ["a colour profile", "iCCP", "profile\0\0"],
  ])(
    "a PNG with 200 MB of %s in 200 kB takes no memory",
    { tags: "full" },
    async (_name, type, keyword) => {
      const inflated = Buffer.alloc(200_000_000);
      const data = Buffer.concat([Buffer.from(keyword, "latin1"), deflateSync(inflated)]);
      const bomb = whitePng(100, 100, pngChunk(type, data));
      const before = process.memoryUsage().rss;
      const outcome = await clean(bomb).then(
        ({ bytes }) => bytes.byteLength < 10_000,
        ({ reason }) => reason === "undecodable",
      );
      expect(outcome).toBe(true);
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    },
  );
});
