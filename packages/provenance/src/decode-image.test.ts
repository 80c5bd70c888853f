import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { decodeImage, isTimeout } from "./decode-image.ts";
import { InvalidImageError } from "./image-format.ts";
import { joinPng, noise, splitPng, withChunks } from "./testing/images.ts";

const complete = {
  png: await noise().png().toBuffer(),
  jpeg: await noise().jpeg().toBuffer(),
  webp: await noise().webp().toBuffer(),
};
const formats = ["png", "jpeg", "webp"] as const;

describe("decoding an image", () => {
  test.each(formats)("detects format and size of a %s", async (format) => {
    expect(await decodeImage(complete[format])).toMatchObject({
      format,
      pixels: { width: 64, height: 48 },
    });
  });

  test.each(formats)("rejects a %s truncated at any point", async (format) => {
    const bytes = complete[format];
    for (const part of [0.02, 0.3, 0.6, 0.9, 0.99]) {
      const start = bytes.subarray(0, Math.floor(bytes.length * part));
      await expect(decodeImage(start), `${part}`).rejects.toThrow(InvalidImageError);
    }
  });

  test("rejects other formats, even those that the library could decode", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const gif = await noise().gif().toBuffer();
    for (const bytes of [svg, gif, Buffer.from("hello"), Buffer.alloc(0)]) {
      await expect(decodeImage(bytes)).rejects.toThrow(InvalidImageError);
    }
  });

  test("rejects a PNG with a wrong checksum", async () => {
    const damaged = Buffer.from(complete.png);
    damaged[60]! ^= 1;
    await expect(decodeImage(damaged)).rejects.toThrow(/checksum/);
  });

  test("rejects a PNG with intact chunks and damaged pixels", async () => {
    const short = joinPng(
      splitPng(complete.png).map(({ type, data }) => ({
        type,
        data: type === "IDAT" ? data.subarray(0, data.length / 2) : data,
      })),
    );
    await expect(decodeImage(short)).rejects.toThrow(InvalidImageError);
  });

  test("rejects a PNG without pixels, without a leading header, or with an unknown critical chunk", async () => {
    const chunks = splitPng(complete.png);
    const withoutPixels = joinPng(chunks.filter(({ type }) => type !== "IDAT"));
    const headerLast = joinPng([...chunks.slice(1, -1), chunks[0]!, chunks.at(-1)!]);
    const unknown = withChunks(complete.png, { type: "ABCD", data: Buffer.alloc(4) });
    for (const bytes of [withoutPixels, headerLast, unknown]) {
      await expect(decodeImage(bytes)).rejects.toThrow(InvalidImageError);
    }
  });

  test("rejects a decompression bomb before unpacking it", async () => {
    const side = 14_000;
    const header = Buffer.from(
      splitPng(await sharp(complete.png).greyscale().png().toBuffer())[0]!.data,
    );
    header.writeUInt32BE(side, 0);
    header.writeUInt32BE(side, 4);
    const bomb = joinPng([
      { type: "IHDR", data: header },
      { type: "IDAT", data: deflateSync(Buffer.alloc(side * 1000)) },
      { type: "IEND", data: Buffer.alloc(0) },
    ]);
    expect(bomb.length).toBeLessThan(20_000);
    await expect(decodeImage(bomb)).rejects.toThrow(/pixel limit/);
  });

  test("rejects an edge longer than WebP supports", async () => {
    const wide = await noise({ width: 17_000, height: 2 }).png().toBuffer();
    await expect(decodeImage(wide)).rejects.toThrow(/16383/);
  });

  test("decodes the first frame of an animation", async () => {
    const frames = await sharp([complete.png, complete.png], { join: { animated: true } })
      .webp()
      .toBuffer();
    const { format, pixels } = await decodeImage(frames);
    expect([format, pixels.width, pixels.height]).toEqual(["webp", 64, 48]);
  });

  test("applies the EXIF orientation", async () => {
    const turned = await sharp(complete.png).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { pixels } = await decodeImage(turned);
    expect([pixels.width, pixels.height]).toEqual([48, 64]);
  });

  test("converts any bit depth, palette, colour profile or grey image to 8-bit sRGB", async () => {
    const red = sharp({
      create: { width: 4, height: 4, channels: 3, background: { r: 200, g: 40, b: 40 } },
    });
    const asRed = {
      "16 bits": await red.clone().toColourspace("rgb16").png().toBuffer(),
      "another colour profile": await red.clone().withIccProfile("p3").png().toBuffer(),
      palette: await red.clone().png({ palette: true }).toBuffer(),
      jpeg: await red.clone().jpeg({ quality: 100 }).toBuffer(),
      cmyk: await red.clone().toColourspace("cmyk").jpeg({ quality: 100 }).toBuffer(),
    };
    for (const [name, bytes] of Object.entries(asRed)) {
      const { pixels } = await decodeImage(bytes);
      expect(pixels.channels).toBe(3);
      for (const [channel, value] of [200, 40, 40].entries()) {
        const error = Math.abs(pixels.data[channel]! - value);
        // CMYK has no colour profile here, so its red is only approximate.
        expect(error).toBeLessThanOrEqual(name === "cmyk" ? 30 : 2);
      }
    }
    const grey = await red.clone().greyscale().toColourspace("b-w").png().toBuffer();
    const { pixels } = await decodeImage(grey);
    expect(pixels.channels).toBe(3);
    expect(new Set(pixels.data).size).toBe(1);
  });

  test("preserves transparency", async () => {
    const { pixels } = await decodeImage(await noise({ channels: 4 }).png().toBuffer());
    expect(pixels.channels).toBe(4);
  });
});

test("recognises the error of a codec that was stopped at its limit of wall time", async () => {
  const create = { width: 16_000, height: 16_000, channels: 3, background: "#369" } as const;
  // Blurring and compressing it takes many seconds.
  const late = sharp({ create }).blur(20).png({ compressionLevel: 9 }).timeout({ seconds: 1 });
  expect(isTimeout(await late.toBuffer().catch((error: unknown) => error))).toBe(true);
  const damaged = await decodeImage(complete.png.subarray(0, 200)).catch((error: unknown) => error);
  expect(isTimeout(damaged)).toBe(false);
});
