import { readdir, readFile, writeFile } from "node:fs/promises";
import { draw } from "@atelier/illustrator";
import { fingerprint } from "@atelier/provenance/images";
import { maxPictureBytes } from "@atelier/schemas/endpoints";
import { hashDistance } from "@atelier/watermark";
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { builtInStyles } from "./built-in-styles.ts";

const directory = new URL("pictures/", import.meta.url);
const styles = Object.entries(builtInStyles);
/** Copies of an image differ in at most as many bits. */
const copyDistance = 15;

interface Picture {
  readonly bytes: number;
  readonly hash: string;
}

const pictures = new Map<string, { readonly kept: Picture; readonly drawn: Picture }>();

/** Draws a style as the built-in model draws a prompt with its words. */
async function drawStyle(words: string): Promise<Buffer> {
  const picture = await draw({
    kind: "scene",
    prompt: `a lighthouse on a cliff by the sea, a sailing boat, ${words}`,
    references: [],
    seed: 7,
    aspectRatio: "1:1",
    imageSize: "1K",
  });
  return sharp(picture).resize(240, 240).webp({ quality: 70 }).toBuffer();
}

async function read(file: Buffer): Promise<Picture> {
  return { bytes: file.length, hash: await fingerprint(file) };
}

beforeAll(async () => {
  for (const [name, words] of styles) {
    const [drawn, path] = [await drawStyle(words), new URL(`${name}.webp`, directory)];
    if (process.env["UPDATE_PICTURES"] !== undefined) await writeFile(path, drawn);
    pictures.set(name, { kept: await read(await readFile(path)), drawn: await read(drawn) });
  }
}, 120_000);

it("has a picture of at most 8 kB for each style, of at most 12, and no other", async () => {
  expect(styles.length).toBeLessThanOrEqual(12);
  const files = await readdir(directory);
  expect(files.toSorted()).toEqual(styles.map(([name]) => `${name}.webp`).toSorted());
  for (const { kept } of pictures.values()) expect(kept.bytes).toBeLessThanOrEqual(maxPictureBytes);
});

it("shows what the built-in model draws with the words of a style", () => {
  for (const [name, { kept, drawn }] of pictures) {
    const isDrawn = hashDistance(kept.hash, drawn.hash) <= copyDistance;
    expect([name, isDrawn]).toEqual([name, true]);
  }
});

it("has pictures of which no two look alike, by their fingerprints", () => {
  const kept = [...pictures].map(([name, picture]) => [name, picture.kept.hash] as const);
  const alike = kept.flatMap(([name, hash], at) =>
    kept
      .slice(0, at)
      .filter(([, other]) => hashDistance(hash, other) <= 2 * copyDistance)
      .map(([other]) => `${name} and ${other}`),
  );
  expect(alike).toEqual([]);
});
