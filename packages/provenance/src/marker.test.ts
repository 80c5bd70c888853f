import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { InvalidImageError } from "./image-format.ts";
import { compressedPixels, noise, splitPng, withChunks } from "./testing/images.ts";
import { formats, marker, ofFormat, request, sources, trust } from "./testing/marker.ts";
import { verifyProvenance } from "./verify-provenance.ts";

describe("the marked files", () => {
  test.each(formats)("a %s is returned as PNG, JPEG, WebP and thumbnail", async (format) => {
    const images = await marker.mark(request(sources[format]));
    expect(images.map((image) => image.format)).toEqual(["png", "jpeg", "webp", "thumbnail"]);
    for (const image of images.slice(0, 3)) {
      const metadata = await sharp(image.bytes).metadata();
      expect(metadata.format).toBe(image.format);
      expect(image.mediaType).toBe(`image/${image.format}`);
      expect([image.width, image.height]).toEqual([64, 48]);
      expect([metadata.width, metadata.height]).toEqual([64, 48]);
    }
  });

  test("include a trusted WebP of at most 512 pixels", async () => {
    const large = await noise({ width: 1_024, height: 768 }).png().toBuffer();
    const images = await marker.mark(request(large));
    const thumbnail = images.at(-1)!;
    const { format, width, height } = await sharp(thumbnail.bytes).metadata();
    expect({ format, width, height }).toEqual({ format: "webp", width: 512, height: 384 });
    expect(thumbnail).toMatchObject({ width: 512, height: 384, mediaType: "image/webp" });
    expect((await verifyProvenance(thumbnail.bytes, trust)).state).toBe("trusted");
  });

  test("hash and size match the delivered bytes", async () => {
    for (const image of await marker.mark(request(sources.png))) {
      expect(image.sha256).toBe(createHash("sha256").update(image.bytes).digest("hex"));
      expect(image.sizeBytes).toBe(image.bytes.length);
    }
  });

  test.each([
    ["colour", noise()],
    ["alpha", noise({ channels: 4 })],
    ["16 bits", noise().toColourspace("rgb16")],
    ["palette", noise()],
    ["grey", noise().greyscale().toColourspace("b-w")],
  ])("preserve the compressed pixels of a provider's PNG: %s", async (kind, picture) => {
    const source = await picture.png({ palette: kind === "palette" }).toBuffer();
    const png = ofFormat(await marker.mark(request(source)), "png");
    expect(compressedPixels(png.bytes).equals(compressedPixels(source))).toBe(true);
    const inSource = splitPng(source).filter(({ type }) => /IHDR|PLTE|tRNS/.test(type));
    expect(splitPng(png.bytes)).toEqual(expect.arrayContaining(inSource));
  });

  test("show the same picture in all three formats", async () => {
    const flat = { r: 200, g: 40, b: 90 };
    const source = await sharp({ create: { width: 32, height: 32, channels: 3, background: flat } })
      .png()
      .toBuffer();
    for (const image of await marker.mark(request(source))) {
      const { channels } = await sharp(image.bytes).stats();
      for (const [index, value] of Object.values(flat).entries()) {
        expect(Math.abs(channels[index]!.mean - value)).toBeLessThan(3);
      }
    }
  });

  test("preserve transparency in WebP and use a white background in JPEG", async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const source = await sharp({ create: { width: 8, height: 8, channels: 4, background: clear } })
      .png()
      .toBuffer();
    const images = await marker.mark(request(source));
    expect((await sharp(ofFormat(images, "webp").bytes).metadata()).hasAlpha).toBe(true);
    const jpeg = await sharp(ofFormat(images, "jpeg").bytes).stats();
    expect(jpeg.channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });

  test("apply the EXIF orientation of a JPEG and remove the EXIF data", async () => {
    const source = await sharp(sources.png).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    for (const image of await marker.mark(request(source))) {
      const metadata = await sharp(image.bytes).metadata();
      expect([image.width, image.height, metadata.width, metadata.height]).toEqual([
        48, 64, 48, 64,
      ]);
      expect(metadata.orientation ?? 1).toBe(1);
      expect(metadata.exif).toBeUndefined();
    }
  });

  test("contain no metadata from the provider", async () => {
    const secret = "a private prompt";
    const png = withChunks(
      sources.png,
      { type: "tEXt", data: Buffer.from(`parameters\0${secret}`) },
      { type: "iTXt", data: Buffer.from(`prompt\0\0\0\0\0${secret}`) },
      { type: "zTXt", data: Buffer.from(`prompt\0\0${secret}`) },
      { type: "eXIf", data: Buffer.from(secret) },
      { type: "prMt", data: Buffer.from(secret) },
      { type: "tIME", data: Buffer.from(secret.slice(0, 7)) },
    );
    const afterEnd = Buffer.concat([png, Buffer.from(secret)]);
    const exif = { IFD0: { ImageDescription: secret } };
    const jpeg = await sharp(sources.png)
      .withExif(exif)
      .withXmp(`<x>${secret}</x>`)
      .jpeg()
      .toBuffer();
    expect(jpeg.includes(secret)).toBe(true);
    for (const source of [afterEnd, jpeg]) {
      for (const image of await marker.mark(request(source))) {
        expect(Buffer.from(image.bytes).includes(secret)).toBe(false);
      }
    }
    const types = splitPng(ofFormat(await marker.mark(request(png)), "png").bytes).map(
      ({ type }) => type,
    );
    expect([...new Set(types)].sort()).toEqual(["IDAT", "IEND", "IHDR", "caBX", "iTXt"]);
  });

  test("keep the colour profile of a provider's PNG in the PNG", async () => {
    const source = await noise().withIccProfile("p3").png().toBuffer();
    const png = ofFormat(await marker.mark(request(source)), "png");
    const profile = splitPng(source).find(({ type }) => type === "iCCP");
    expect(profile).toBeDefined();
    expect(splitPng(png.bytes)).toContainEqual(profile);
  });

  test("incomplete image data is rejected", async () => {
    const cut = sources.png.subarray(0, sources.png.length - 20);
    await expect(marker.mark(request(cut))).rejects.toThrow(InvalidImageError);
  });

  test("an aborted signal rejects with its reason", async () => {
    const reason = new Error("shutting down");
    const work = marker.mark(request(sources.png), AbortSignal.abort(reason));
    await expect(work).rejects.toBe(reason);
  });
});
