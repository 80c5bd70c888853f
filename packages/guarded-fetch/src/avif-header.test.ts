import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cleanImage } from "./image.ts";
import { assertHeader, readImageHeader } from "./image-header.ts";
import {
  avifBox,
  avifColours,
  avifCrop,
  avifGrid,
  avifSize,
  avifTurn,
  composeAvif,
  readAvifItem,
  twoColours,
} from "./testing/images.ts";

const maxPixels = 40_000_000;
const { data, coding } = readAvifItem(await twoColours().avif().toBuffer());
const picture = { type: "av01", data, properties: [coding, avifSize(40, 20)] } as const;
const withProperties = (...properties: Buffer[]) => [
  { ...picture, properties: [...picture.properties, ...properties] },
];
/** Two pictures side by side. */
const whole = {
  type: "grid",
  data: avifGrid(1, 2, 80, 20),
  properties: [avifSize(80, 20)],
  parts: [2, 3],
} as const;

describe("reads the displayed size of an AVIF as the decoder does:", () => {
  test.each([
    ["a picture", composeAvif([picture]), 40, 20],
    ["a quarter turn", composeAvif(withProperties(avifTurn(1))), 20, 40],
    ["a half turn", composeAvif(withProperties(avifTurn(2))), 40, 20],
    ["a crop", composeAvif(withProperties(avifCrop(24, 10))), 24, 10],
    ["a crop and a turn", composeAvif(withProperties(avifCrop(24, 10), avifTurn(3))), 10, 24],
    ["a grid", composeAvif([whole, picture, picture]), 80, 20],
    ["the generic brand", composeAvif([picture], "mif1avif"), 40, 20],
  ])("%s", async (_name, bytes, width, height) => {
    expect(readImageHeader(bytes)).toMatchObject({ mediaType: "image/avif", width, height });
    const image = await cleanImage(bytes, { maxPixels });
    expect(image).toMatchObject({ mediaType: "image/jpeg", width, height });
    const { info } = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width, height });
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("the orientation %d", async (orientation) => {
    const bytes = await twoColours().withMetadata({ orientation }).avif().toBuffer();
    const upright = await twoColours().withMetadata({ orientation }).png().toBuffer();
    const expected = await sharp(upright).autoOrient().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = expected.info;
    expect(readImageHeader(bytes)).toMatchObject({ width, height });
    const image = await cleanImage(bytes, { maxPixels });
    const shown = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true });
    expect(shown.info).toMatchObject({ width, height });
    const differences = shown.data.map((value, index) =>
      Math.abs(value - (expected.data[index] ?? 0)),
    );
    const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
    expect(mean).toBeLessThan(12);
  });
});

/** A picture with more lists of 255 associations of it. */
function withAssociations(lists: number): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 255]);
  const list = avifBox("ipma", head, Buffer.alloc(255, 1));
  const added = Buffer.concat(Array.from({ length: lists }, () => list));
  const file = composeAvif([picture]);
  for (const type of ["meta", "iprp"]) {
    const at = file.indexOf(type) - 4;
    file.writeUInt32BE(file.readUInt32BE(at) + added.length, at);
  }
  const at = file.indexOf("ipma") - 4;
  return Buffer.concat([file.subarray(0, at), added, file.subarray(at)]);
}

describe("refuses by its header an AVIF that", () => {
  const claiming = (width: number, height: number) =>
    composeAvif([{ ...picture, properties: [coding, avifSize(width, height)] }]);
  test.each([
    ["has 40 megapixels", claiming(8_000, 5_000), "too_many_pixels"],
    ["has a long side", claiming(20_000, 100), "too_many_pixels"],
    [
      "is a grid with a huge size",
      composeAvif([
        {
          ...whole,
          data: avifGrid(256, 256, 60_000, 60_000),
          properties: [avifSize(60_000, 60_000)],
        },
        picture,
      ]),
      "too_many_pixels",
    ],
    [
      "is a small grid of huge tiles",
      composeAvif([
        { ...whole, parts: [2] },
        { ...picture, properties: [coding, avifSize(16_000, 16_000)] },
      ]),
      "too_many_pixels",
    ],
    ["is an animation", composeAvif([picture], "avismsf1miaf"), "animated"],
    ["has a movie", Buffer.concat([composeAvif([picture]), avifBox("moov")]), "animated"],
    ["is PQ", composeAvif(withProperties(avifColours(16))), "high_dynamic_range"],
    ["is HLG", composeAvif(withProperties(avifColours(18))), "high_dynamic_range"],
    ["has no size", composeAvif([{ ...picture, properties: [coding] }]), "undecodable"],
    ["has size 0", claiming(0, 20), "undecodable"],
    ["has two lists", Buffer.concat([composeAvif([picture]), avifBox("meta")]), "undecodable"],
    ["is cut off in its list", composeAvif([picture]).subarray(0, 150), "undecodable"],
    [
      "has a profile of more than 1 MB",
      composeAvif(withProperties(avifBox("colr", Buffer.from("prof"), Buffer.alloc(1_100_000)))),
      "too_much_metadata",
    ],
    [
      "has more than 10,000 boxes",
      Buffer.concat([
        composeAvif([picture]),
        Buffer.concat(Array.from({ length: 10_001 }, () => avifBox("free"))),
      ]),
      "too_much_metadata",
    ],
    ["has many lists of associations", withAssociations(40), "too_much_metadata"],
    [
      "claims four billion associations",
      Buffer.from(
        composeAvif([picture])
          .toString("latin1")
          .replace(/(ipma.{4}).{4}/s, "$1\xff\xff\xff\xff")
          .replace(/(pitm.{4}).{2}/s, "$1\x77\x77"),
        "latin1",
      ),
      "undecodable",
    ],
  ])("%s", (_name, bytes, reason) => {
    expect(() => assertHeader(bytes, maxPixels)).toThrow(expect.objectContaining({ reason }));
  });
});

test("converts an AVIF of 10 bits, and one with the colours of a P3 display, to sRGB of 8 bits", async () => {
  const deep = await sharp(await twoColours().png().toBuffer())
    .avif({ bitdepth: 10 })
    .toBuffer();
  const wide = await twoColours().withIccProfile("p3").avif({ quality: 95 }).toBuffer();
  for (const bytes of [deep, wide]) {
    const image = await cleanImage(bytes, { maxPixels });
    expect(await sharp(image.bytes).metadata()).toMatchObject({ space: "srgb", depth: "uchar" });
    const [red = 0, green = 0, blue = 0] = await sharp(image.bytes).raw().toBuffer();
    expect(red).toBeGreaterThan(235);
    expect(green + blue).toBeLessThan(30);
  }
});

test("an AVIF whose picture is larger than its header claims is undecodable, and takes no memory for it", async () => {
  const create = { width: 2_000, height: 1_500, channels: 3, background: "#369" } as const;
  const large = readAvifItem(await sharp({ create }).avif({ effort: 0 }).toBuffer());
  const bytes = composeAvif([
    { type: "av01", data: large.data, properties: [large.coding, avifSize(40, 20)] },
  ]);
  const memory = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  await expect(cleanImage(bytes, { maxPixels })).rejects.toMatchObject({ reason: "undecodable" });
  const { user, system } = process.cpuUsage(cpu);
  expect(user + system).toBeLessThan(500_000);
  expect(process.memoryUsage.rss() - memory).toBeLessThan(50_000_000);
});
