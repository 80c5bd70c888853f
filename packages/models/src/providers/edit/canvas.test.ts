import sharp from "sharp";
import { expect, it } from "vitest";
import type { ProviderEdit } from "../../provider.ts";
import { fitCanvas } from "./canvas.ts";
import { promptWithEditArea } from "../describe-references.ts";
import { toTransparencyMask } from "./mask-forms.ts";

const red = "#c03020";
const blue = "#2050c0";

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** A mask whose right half is white. */
async function halfMask(width: number, height: number): Promise<Buffer> {
  const half = Math.floor(width / 2);
  const white = await flat(half, height, "#fff");
  return sharp({ create: { width, height, channels: 3, background: "#000" } })
    .composite([{ input: white, left: width - half, top: 0 }])
    .toColourspace("b-w")
    .png()
    .toBuffer();
}

async function editOf(width: number, height: number, hasMask = true): Promise<ProviderEdit> {
  return {
    kind: "edit",
    image: { bytes: await flat(width, height, red), mediaType: "image/png" },
    mask: hasMask ? await halfMask(width, height) : null,
    strength: null,
  };
}

async function pixelAt(bytes: Uint8Array, x: number, y: number): Promise<string> {
  const data = await sharp(bytes)
    .removeAlpha()
    .extract({ left: x, top: y, width: 1, height: 1 })
    .raw()
    .toBuffer();
  return `#${data.toString("hex")}`;
}

it.each([
  ["the same shape", 64, 64],
  ["a wide image on a square canvas", 120, 40],
  ["a tall image on a square canvas", 40, 120],
  ["an image larger than the canvas", 400, 300],
])("keeps the size and the unmasked pixels: %s", async (_, width, height) => {
  const canvas = await fitCanvas(await editOf(width, height), { width: 128, height: 128 });
  const sent = await Promise.all(
    [canvas.edit.image.bytes, canvas.edit.mask!].map((bytes) => sharp(bytes).metadata()),
  );
  expect(sent).toMatchObject([
    { width: 128, height: 128, hasAlpha: false },
    { width: 128, height: 128, channels: 1, hasAlpha: false },
  ]);
  const edited = { bytes: await flat(128, 128, blue), mediaType: "image/png" } as const;
  const restored = await canvas.restore(edited);
  expect(await sharp(restored.bytes).metadata()).toMatchObject({ width, height });
  expect(await pixelAt(restored.bytes, 2, height >> 1)).toBe(red);
  expect(await pixelAt(restored.bytes, width - 3, height >> 1)).toBe(blue);
});

it.each([
  ["a wide image", 120, 40],
  ["a tall image larger than the canvas", 200, 400],
])(
  "fits markup to the canvas like the image, transparent in the margins: %s",
  async (_, width, height) => {
    const drawn = await flat(width / 2, height, "#c03020");
    const markup = await sharp({ create: { width, height, channels: 4, background: "#0000" } })
      .composite([{ input: drawn, left: 0, top: 0 }])
      .webp({ lossless: true })
      .toBuffer();
    const size = { width: 128, height: 128 };
    const { edit } = await fitCanvas({ ...(await editOf(width, height, false)), markup }, size);
    const { data, info } = await sharp(edit.markup ?? undefined)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ ...size, channels: 4 });
    expect(await sharp(edit.markup ?? undefined).metadata()).toMatchObject({ format: "png" });
    const alphaAt = (x: number, y: number) => data[(y * size.width + x) * 4 + 3];
    const isWide = width > height;
    // The drawn half, the other half, and the margin beside or above the drawn half.
    expect([alphaAt(50, 64), alphaAt(78, 64)]).toEqual([255, 0]);
    expect(isWide ? alphaAt(50, 10) : alphaAt(10, 64)).toBe(0);
    expect((await fitCanvas(await editOf(width, height, false), size)).edit).not.toHaveProperty(
      "markup",
    );
  },
);

it("keeps the provider's file beside the composite when it may have a C2PA manifest", async () => {
  const canvas = await fitCanvas(await editOf(64, 64), { width: 64, height: 64 });
  const plain = await flat(64, 64, blue);
  const marked = Buffer.concat([plain, Buffer.from("jumbc2pa")]);
  const restore = (bytes: Buffer) => canvas.restore({ bytes, mediaType: "image/png" });
  expect((await restore(marked)).original).toBe(marked);
  expect(await restore(plain)).not.toHaveProperty("original");
  // Without a mask and in the shape of the image, the file itself is the result.
  const whole = await fitCanvas(await editOf(64, 64, false), { width: 64, height: 64 });
  const same = { bytes: marked, mediaType: "image/png" } as const;
  expect(await whole.restore(same)).toEqual(same);
});

it("blends the edge of the mask", async () => {
  const canvas = await fitCanvas(await editOf(512, 512), { width: 512, height: 512 });
  const edited = { bytes: await flat(512, 512, blue), mediaType: "image/png" } as const;
  const edge = await pixelAt((await canvas.restore(edited)).bytes, 256, 256);
  expect([red, blue]).not.toContain(edge);
});

it("returns an edit without a mask in the shape of its image", async () => {
  const canvas = await fitCanvas(await editOf(90, 60, false), { width: 128, height: 128 });
  const edited = { bytes: await flat(128, 128, blue), mediaType: "image/png" } as const;
  const restored = await canvas.restore(edited);
  expect(await sharp(restored.bytes).metadata()).toMatchObject({ width: 128, height: 85 });
  const same = await fitCanvas(await editOf(64, 64, false), { width: 128, height: 128 });
  expect(await same.restore(edited)).toBe(edited);
});

it("keeps the transparency of unmasked pixels", async () => {
  const create = { width: 64, height: 64, channels: 4 as const, background: "#ff000000" };
  const bytes = await sharp({ create }).png().toBuffer();
  const edit = { ...(await editOf(64, 64)), image: { bytes, mediaType: "image/png" as const } };
  const canvas = await fitCanvas(edit, { width: 64, height: 64 });
  const edited = { bytes: await flat(64, 64, blue), mediaType: "image/png" } as const;
  const restored = await canvas.restore(edited);
  expect(restored.hasAlpha).toBe(true);
  const { data, info } = await sharp(restored.bytes).raw().toBuffer({ resolveWithObject: true });
  const alphaAt = (x: number) => data[(32 * info.width + x) * info.channels + 3];
  expect([alphaAt(4), alphaAt(60)]).toEqual([0, 255]);
});

it("rejects a mask of another size than the image", async () => {
  const edit = { ...(await editOf(64, 64)), mask: await halfMask(32, 32) };
  await expect(fitCanvas(edit, { width: 64, height: 64 })).rejects.toMatchObject({
    outcome: { kind: "invalid-request", message: expect.stringContaining("32x32") as string },
  });
});

it("converts a mask to OpenAI's form: transparent where white", async () => {
  const mask = await toTransparencyMask(await halfMask(8, 4));
  const { data, info } = await sharp(mask).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 8, height: 4, channels: 4 });
  expect([data[3], data[7 * 4 + 3]]).toEqual([255, 0]);
});

it("tells a model without masks where the area is", async () => {
  const mask = await halfMask(100, 100);
  const edit = { ...(await editOf(100, 100)), mask };
  const request = { prompt: "a boat", references: [], task: edit };
  expect(await promptWithEditArea(request)).toBe(
    "a boat\n\nChange only the area from 50% to 100% of the width and from 0% to 100% of the height, and keep the rest exactly as it is.",
  );
  expect(await promptWithEditArea({ ...request, task: { ...edit, mask: null } })).toBe("a boat");
  expect(await promptWithEditArea({ ...request, rawPrompt: true })).toBe("a boat");
});
