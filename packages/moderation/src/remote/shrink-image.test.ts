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

it("makes an image as small as classifiers take it", async () => {
  const { format, width, height } = await decode(await toSmallDataUrl(await photo()));
  expect({ format, width, height }).toEqual({ format: "jpeg", width: 1024, height: 205 });
});

it("takes what is odd and yet whole, as it will be delivered", async () => {
  const whole = await photo();
  // Start of scan: what stands before it and belongs to nothing is a warning to decoders.
  const scan = whole.indexOf(Buffer.from([0xff, 0xda]));
  const odd = Buffer.concat([whole.subarray(0, scan), Buffer.from([1, 2]), whole.subarray(scan)]);
  await expect(sharp(odd).toBuffer()).rejects.toThrow("extraneous bytes");
  expect(await decode(await toSmallDataUrl(odd))).toMatchObject({ width: 1024 });
});

it("does not take half an image", async () => {
  const whole = await photo();
  const png = await sharp(whole).png().toBuffer();
  await expect(toSmallDataUrl(png.subarray(0, png.length / 2))).rejects.toThrow();
});
