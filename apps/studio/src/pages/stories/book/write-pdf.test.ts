import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";
import { expect, it } from "vitest";
import type { BookContent } from "./book-content.ts";
import { layouts } from "./book.ts";
import { measurePpi, writePdf } from "./write-pdf.ts";

const fontPath = "@expo-google-fonts/literata/400Regular/Literata_400Regular.ttf";
const font = new Uint8Array(await readFile(createRequire(import.meta.url).resolve(fontPath)));
const size = { width: 1_024, height: 768 };
const blank = { ...size, channels: 3 as const, background: "#4080c0" };
const jpeg = await sharp({ create: blank }).jpeg().toBuffer();
const picture = { bytes: Uint8Array.from(jpeg), description: "A bay" };

const content: BookContent = {
  title: "Mira & Otto <3",
  language: "de",
  layout: "below",
  cover: picture,
  pages: [{ text: "Über dem Meer", picture }],
  textSize: "medium",
  dedication: "Für Ada",
  author: "",
  cast: {
    title: "Die Figuren",
    members: ["Mira", "Otto", "Ida"].map((name) => ({ name, picture })),
  },
  imprint: ["Erzeugt & geprüft"],
  font: { family: "Literata", bytes: font },
};

/** The uncompressed parts of the PDF, one character for each byte. */
async function write(parts: Partial<BookContent> = {}): Promise<string> {
  const file = await writePdf({ ...content, ...parts }, { bleedMm: 3 });
  return Buffer.from(await file.arrayBuffer()).toString("latin1");
}

it("states PDF/A-2a, tags, the language and sRGB as the output intent", async () => {
  const pdf = await write();
  expect(pdf).toContain("<pdfaid:part>2</pdfaid:part>");
  expect(pdf).toContain("<pdfaid:conformance>A</pdfaid:conformance>");
  expect(pdf).toContain("/OutputConditionIdentifier (sRGB IEC61966-2.1)");
  expect(pdf).toMatch(/\/DestOutputProfile \d+ 0 R/);
  expect(pdf).toContain("/Lang (de)");
  expect(pdf).toContain("/Marked true");
  expect(pdf).toMatch(/\/FontName \/[A-Z]{6}\+Literata-Regular/);
});

it("escapes texts in its metadata, and nowhere else", async () => {
  const pdf = await write();
  expect(pdf).toContain('<rdf:li xml:lang="x-default">Mira &#38; Otto &#60;3</rdf:li>');
  expect(pdf).toContain("(Mira & Otto <3)");
});

it.each(layouts)("has the resolutions that are measured before, with texts %s", async (layout) => {
  const pages = [{ scene: 1, text: "Über dem Meer" }];
  const { title, textSize } = content;
  const book = { title, textSize, layout, cover: 2, pages };
  const sizes = new Map([1, 2].map((scene) => [scene, size]));
  const measured = measurePpi(book, sizes, font);
  const expected = { below: [142, 142], beside: [255, 142], over: [90, 90] }[layout];
  expect([1, 2].map((scene) => Math.floor(measured.get(scene) ?? 0))).toEqual(expected);
});

it.each(["small", "medium", "large"] as const)("has texts in the size %s", async (textSize) => {
  const scales = { small: 13, medium: 17, large: 22 };
  const data = Uint8Array.from(Buffer.from(await write({ textSize }), "latin1"));
  const pdf = await getDocument({ data, verbosity: 0 }).promise;
  const items = (await (await pdf.getPage(4)).getTextContent()).items;
  const heights = items.map((item) => ("height" in item ? item.height : 0));
  expect(Math.max(...heights)).toBeCloseTo(scales[textSize]);
});
