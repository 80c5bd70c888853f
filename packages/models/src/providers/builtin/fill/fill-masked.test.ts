import sharp from "sharp";
import { expect, it } from "vitest";
import { fillMasked } from "./fill-masked.ts";

const size = { width: 160, height: 120 };

function draw(shapes: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120">${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const stripes = Array.from(
  { length: 15 },
  (_, row) =>
    `<rect y="${row * 8}" width="160" height="8" fill="${row % 2 === 0 ? "#204080" : "#e0e0c0"}"/>`,
).join("");
const blot = '<circle cx="80" cy="60" r="20" fill="#ff0000"/>';

async function pixelsOf(image: Uint8Array) {
  const { data } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return data;
}

function maskOf(shape: string): Promise<Buffer> {
  return draw(`<rect width="160" height="120" fill="#000"/>${shape}`);
}

it("continues a pattern through the hole and keeps all other pixels", async () => {
  const mask = await maskOf('<circle cx="80" cy="60" r="24" fill="#fff"/>');
  const before = await draw(stripes + blot);
  const filled = await pixelsOf(await fillMasked(before, mask));
  const [original, wanted, shares] = await Promise.all([
    pixelsOf(before),
    pixelsOf(await draw(stripes)),
    pixelsOf(mask),
  ]);
  let changed = 0;
  let difference = 0;
  let holes = 0;
  for (let at = 0; at < filled.length; at += 1) {
    if (shares[at - (at % 4)] === 0) changed += filled[at] === original[at] ? 0 : 1;
    else {
      holes += 1;
      difference += Math.abs(filled[at]! - wanted[at]!);
    }
  }
  expect(changed).toBe(0);
  expect(difference / holes).toBeLessThan(12);
}, 20_000);

it("returns the same bytes for the same image and mask", async () => {
  const [image, mask] = await Promise.all([
    draw(stripes + blot),
    maskOf('<rect x="60" y="40" width="40" height="40" fill="#fff"/>'),
  ]);
  const [one, other] = await Promise.all([fillMasked(image, mask), fillMasked(image, mask)]);
  expect(one.equals(other)).toBe(true);
}, 20_000);

it("fills with transparency where the surroundings are transparent", async () => {
  const mask = await maskOf('<circle cx="80" cy="60" r="24" fill="#fff"/>');
  const filled = await fillMasked(await draw(blot), mask);
  expect((await sharp(filled).metadata()).hasAlpha).toBe(true);
  expect((await pixelsOf(filled)).every((value) => value === 0)).toBe(true);
}, 20_000);

it("returns a picture also when everything is to be filled", async () => {
  const mask = await maskOf('<rect width="160" height="120" fill="#fff"/>');
  const filled = await fillMasked(await draw(stripes), mask);
  expect(await sharp(filled).metadata()).toMatchObject(size);
}, 20_000);
