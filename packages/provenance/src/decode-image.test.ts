import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { decodeImage } from "./decode-image.ts";
import { InvalidImageError } from "./image-format.ts";
import { joinPng, noise, splitPng, withChunks } from "./testing/images.ts";

const whole = {
  png: await noise().png().toBuffer(),
  jpeg: await noise().jpeg().toBuffer(),
  webp: await noise().webp().toBuffer(),
};
const formats = ["png", "jpeg", "webp"] as const;

describe("decoding an image", () => {
  test.each(formats)("tells format and size of a %s", async (format) => {
    expect(await decodeImage(whole[format])).toMatchObject({
      format,
      pixels: { width: 64, height: 48 },
    });
  });

  test.each(formats)("refuses a %s that is cut short anywhere", async (format) => {
    const bytes = whole[format];
    for (const part of [0.02, 0.3, 0.6, 0.9, 0.99]) {
      const start = bytes.subarray(0, Math.floor(bytes.length * part));
      await expect(decodeImage(start), `${part}`).rejects.toThrow(InvalidImageError);
    }
  });

  test("refuses what is not one of the three formats, even when it could be decoded", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const gif = await noise().gif().toBuffer();
    for (const bytes of [svg, gif, Buffer.from("hello"), Buffer.alloc(0)]) {
      await expect(decodeImage(bytes)).rejects.toThrow(InvalidImageError);
    }
  });

  test("refuses a PNG with a wrong checksum", async () => {
    const damaged = Buffer.from(whole.png);
    damaged[60]! ^= 1;
    await expect(decodeImage(damaged)).rejects.toThrow(/checksum/);
  });

  test("refuses a PNG whose chunks are whole and whose pixels are not", async () => {
    const short = joinPng(
      splitPng(whole.png).map(({ type, data }) => ({
        type,
        data: type === "IDAT" ? data.subarray(0, data.length / 2) : data,
      })),
    );
    await expect(decodeImage(short)).rejects.toThrow(InvalidImageError);
  });

  test("refuses a PNG without pixels, without a header first, or with a part unknown", async () => {
    const chunks = splitPng(whole.png);
    const withoutPixels = joinPng(chunks.filter(({ type }) => type !== "IDAT"));
    const headerLast = joinPng([...chunks.slice(1, -1), chunks[0]!, chunks.at(-1)!]);
    const unknown = withChunks(whole.png, { type: "ABCD", data: Buffer.alloc(4) });
    for (const bytes of [withoutPixels, headerLast, unknown]) {
      await expect(decodeImage(bytes)).rejects.toThrow(InvalidImageError);
    }
  });

  test("refuses a small file that would unpack to too many pixels, before unpacking it", async () => {
    const side = 14_000;
    const header = Buffer.from(
      splitPng(await sharp(whole.png).greyscale().png().toBuffer())[0]!.data,
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

  test("refuses a side that WebP cannot have", async () => {
    const wide = await noise({ width: 17_000, height: 2 }).png().toBuffer();
    await expect(decodeImage(wide)).rejects.toThrow(/16383/);
  });

  test("takes the first picture of an animation", async () => {
    const frames = await sharp([whole.png, whole.png], { join: { animated: true } })
      .webp()
      .toBuffer();
    const { format, pixels } = await decodeImage(frames);
    expect([format, pixels.width, pixels.height]).toEqual(["webp", 64, 48]);
  });

  test("turns a picture upright when EXIF says so", async () => {
    const turned = await sharp(whole.png).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { pixels } = await decodeImage(turned);
    expect([pixels.width, pixels.height]).toEqual([48, 64]);
  });

  test("gives 8 bits of sRGB, whatever bits, palette, profile or grey came in", async () => {
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
        // CMYK has no colour profile here, so its red is only roughly this one.
        expect(error).toBeLessThanOrEqual(name === "cmyk" ? 30 : 2);
      }
    }
    const grey = await red.clone().greyscale().toColourspace("b-w").png().toBuffer();
    const { pixels } = await decodeImage(grey);
    expect(pixels.channels).toBe(3);
    expect(new Set(pixels.data).size).toBe(1);
  });

  test("keeps transparency", async () => {
    const { pixels } = await decodeImage(await noise({ channels: 4 }).png().toBuffer());
    expect(pixels.channels).toBe(4);
  });
});
