import sharp from "sharp";
import { expect, it } from "vitest";
import { toSmallDataUrl } from "./shrink-image.ts";

const photo = () =>
  sharp({ create: { width: 1500, height: 300, channels: 3, background: "#345" } })
    .jpeg()
    .toBuffer();

async function decode(dataUrl: string) {
  return sharp(Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64")).metadata();
}

it("shrinks an image to the size that classifiers accept", async () => {
  const { format, width, height } = await decode(await toSmallDataUrl(await photo()));
  expect({ format, width, height }).toEqual({ format: "jpeg", width: 1024, height: 205 });
});

it("accepts a complete JPEG with stray bytes", async () => {
  const photograph = await photo();
  // Decoders warn about bytes before the start of a scan that belong to no segment.
  const scan = photograph.indexOf(Buffer.from([0xff, 0xda]));
  const odd = Buffer.concat([
    photograph.subarray(0, scan),
    Buffer.from([1, 2]),
    photograph.subarray(scan),
  ]);
  await expect(sharp(odd).toBuffer()).rejects.toThrow("extraneous bytes");
  expect(await decode(await toSmallDataUrl(odd))).toMatchObject({ width: 1024 });
});

it("rejects a truncated image", async () => {
  const photograph = await photo();
  const png = await sharp(photograph).png().toBuffer();
  await expect(toSmallDataUrl(png.subarray(0, png.length / 2))).rejects.toThrow();
});
