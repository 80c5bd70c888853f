import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { prepareEdit } from "./prepare-edit.ts";
import type { ImageFile } from "./provider.ts";

async function flat(
  background: string,
  { width, height, channels = 3 }: { width: number; height: number; channels?: 3 | 4 },
): Promise<ImageFile> {
  const create = { width, height, channels, background };
  return { bytes: await sharp({ create }).png().toBuffer(), mediaType: "image/png" };
}

const white = (width: number, height: number) => flat("#fff", { width, height });

describe("the image of an edit", () => {
  it("has up to 4096 x 4096 pixels", { tags: "full" }, async () => {
    const prepared = await prepareEdit({ image: await white(4_096, 4_096) }, null);
    expect(prepared).toMatchObject({ width: 4_096, height: 4_096 });
    expect(await prepareEdit({ image: await white(8_192, 2_048) }, null)).toMatchObject({
      width: 8_192,
    });
  });

  it("is refused with more pixels", async () => {
    await expect(prepareEdit({ image: await white(4_097, 4_096) }, null)).rejects.toMatchObject({
      code: "reference_invalid",
      message: expect.stringContaining("4097x4096") as string,
      details: [{ path: "image", reason: "too_many_pixels" }],
    });
  });
});

describe("the mask of an edit", () => {
  it.each([
    ["black", "#000000", 3],
    ["black with the noise of a JPEG", "#080706", 3],
    ["opaque black with an alpha channel", "#000000ff", 4],
  ] as const)("is refused when it is %s", async (_, background, channels) => {
    const mask = await flat(background, { width: 64, height: 48, channels });
    await expect(prepareEdit({ image: await white(64, 48), mask }, null)).rejects.toMatchObject({
      code: "reference_invalid",
      details: [{ path: "mask", reason: "nothing_to_change" }],
    });
  });

  it.each([
    ["white", "#ffffff", 3],
    ["transparent", "#00000000", 4],
  ] as const)("marks the whole image when it is %s", async (_, background, channels) => {
    const mask = await flat(background, { width: 64, height: 48, channels });
    const { edit } = await prepareEdit({ image: await white(64, 48), mask }, null);
    const { channels: grey } = await sharp(edit.mask ?? undefined).stats();
    expect(grey).toMatchObject([{ min: 255, max: 255 }]);
  });

  it("is refused in another size than that of the image", async () => {
    await expect(
      prepareEdit({ image: await white(65, 48), mask: await white(64, 48) }, null),
    ).rejects.toMatchObject({
      details: [{ path: "mask", reason: "wrong_size" }],
    });
  });
});

describe("the markup of an edit", () => {
  /** A red column on the left of a transparent image. */
  async function column(width: number, height: number): Promise<ImageFile> {
    const red = await flat("#f00", { width: 8, height });
    const bytes = await sharp({ create: { width, height, channels: 4, background: "#0000" } })
      .composite([{ input: Buffer.from(red.bytes), left: 0, top: 0 }])
      .png()
      .toBuffer();
    return { bytes, mediaType: "image/png" };
  }

  it("is kept as it is, and refused in another size than that of the image", async () => {
    const [image, markup] = [await white(64, 48), await column(64, 48)];
    const { edit } = await prepareEdit({ image, markup }, null);
    expect(edit).toMatchObject({ mask: null, markup: markup.bytes });
    const other = { image: await white(65, 48), markup };
    await expect(prepareEdit(other, null)).rejects.toMatchObject({
      details: [{ path: "markup", reason: "wrong_size" }],
    });
  });

  it.each([
    ["opaque", "#ff0000", 3, "opaque"],
    ["opaque with an alpha channel", "#ff0000ff", 4, "opaque"],
    ["empty", "#00000000", 4, "empty"],
  ] as const)("is refused when it is %s", async (_, background, channels, reason) => {
    const markup = await flat(background, { width: 64, height: 48, channels });
    await expect(prepareEdit({ image: await white(64, 48), markup }, null)).rejects.toMatchObject({
      code: "reference_invalid",
      details: [{ path: "markup", reason }],
    });
  });

  it("is scaled and cropped like the image", async () => {
    const files = { image: await column(64, 32), markup: await column(64, 32) };
    // Half of the width is cut off, with the column.
    const { edit } = await prepareEdit(files, null, { width: 64, height: 64 });
    const [image, markup] = [edit.image.bytes, edit.markup ?? Buffer.alloc(0)];
    expect(await sharp(markup).raw().toBuffer()).toEqual(await sharp(image).raw().toBuffer());
    expect((await sharp(markup).stats()).channels.at(-1)).toMatchObject({ max: 0 });
  });
});
