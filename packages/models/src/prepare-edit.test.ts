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
  it("has up to 4096 x 4096 pixels", async () => {
    const prepared = await prepareEdit(await white(4_096, 4_096), null, null);
    expect(prepared).toMatchObject({ width: 4_096, height: 4_096 });
    expect(await prepareEdit(await white(8_192, 2_048), null, null)).toMatchObject({
      width: 8_192,
    });
  });

  it("is refused with more pixels", async () => {
    await expect(prepareEdit(await white(4_097, 4_096), null, null)).rejects.toMatchObject({
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
    await expect(prepareEdit(await white(64, 48), mask, null)).rejects.toMatchObject({
      code: "reference_invalid",
      details: [{ path: "mask", reason: "nothing_to_change" }],
    });
  });

  it.each([
    ["white", "#ffffff", 3],
    ["transparent", "#00000000", 4],
  ] as const)("marks the whole image when it is %s", async (_, background, channels) => {
    const mask = await flat(background, { width: 64, height: 48, channels });
    const { edit } = await prepareEdit(await white(64, 48), mask, null);
    const { channels: grey } = await sharp(edit.mask ?? undefined).stats();
    expect(grey).toMatchObject([{ min: 255, max: 255 }]);
  });

  it("is refused in another size than that of the image", async () => {
    await expect(prepareEdit(await white(65, 48), await white(64, 48), null)).rejects.toMatchObject(
      {
        details: [{ path: "mask", reason: "wrong_size" }],
      },
    );
  });
});
