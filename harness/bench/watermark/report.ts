import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createWatermarkKey, embedWatermark, type Pixels } from "@atelier/watermark";
import sharp from "sharp";
import { attacks } from "./attacks.ts";
import type { WatermarkResults } from "./results.ts";
import { medianOf } from "./measure.ts";
import { toSharp, type Picture } from "./pictures.ts";

const docs = new URL("../../../docs/", import.meta.url);
const begin = "<!-- begin: written by npm run bench -- watermark --report -->";
const end = "<!-- end -->";

/** Formats the figures as Markdown. */
export function describeResults({
  startedAt,
  machine,
  strength,
  marked,
  negatives,
  times,
}: WatermarkResults): string {
  const kinds = ["photograph", "illustration"] as const;
  const counts = kinds.map((kind) => marked.filter((one) => one.kind === kind).length);
  const rate = (name: string, kind?: string) => {
    const list = marked.filter((one) => kind === undefined || one.kind === kind);
    const found = list.filter((one) => one.found.includes(name)).length;
    return { text: `${found} of ${list.length}`, share: found / list.length };
  };
  const wrong = marked.reduce((sum, one) => sum + one.wrong, 0);
  const quality = (list: readonly number[], digits: number) =>
    `${medianOf(list).toFixed(digits)} (lowest ${Math.min(...list).toFixed(digits)})`;
  return [
    `Measured on ${startedAt.slice(0, 10)} (${machine.processor}, ${machine.cores} cores) with ${counts[0]} photographs and drawings from Debian's wallpaper packages and ${counts[1]} illustrations, at strength ${strength}.`,
    "",
    "| attack | photographs | illustrations | found | aim |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...attacks.map(
      ({ name, aim }) =>
        `| ${[
          name,
          rate(name, "photograph").text,
          rate(name, "illustration").text,
          `${(100 * rate(name).share).toFixed(1)} %`,
          `${100 * aim} %`,
        ].join(" | ")} |`,
    ),
    "",
    `- Wrong ids: ${wrong}.`,
    ...(negatives.images === 0
      ? []
      : [
          `- False positives: ${negatives.falsePositives} in ${negatives.readings.toLocaleString("en")} readings of ${negatives.images.toLocaleString("en")} images without a mark (pictures, parts of pictures, noise), each with ${negatives.readings / negatives.images} keys.`,
        ]),
    `- PSNR in dB: median ${quality(
      marked.map(({ psnr }) => psnr),
      1,
    )}. SSIM: median ${quality(
      marked.map(({ ssim }) => ssim),
      4,
    )}.`,
    `- Detection: ${medianOf(marked.map(({ detectionMs }) => detectionMs)).toFixed(0)} ms of CPU, median over images of the mean over attacks.`,
    "",
    "| size | embed, ms CPU | PNG level 1, ms CPU | detect, ms CPU |",
    "| --- | ---: | ---: | ---: |",
    ...times.map(
      ({ side, embedMs, pngMs, detectMs }) =>
        `| ${side} × ${side} | ${embedMs.toFixed(0)} | ${pngMs.toFixed(0)} | ${detectMs.toFixed(0)} |`,
    ),
  ].join("\n");
}

/** Writes the figures into docs/watermark.md, between two comments. */
export async function writeWatermarkReport(results: WatermarkResults, file: string): Promise<void> {
  const page = new URL("watermark.md", docs);
  const text = await readFile(page, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`docs/watermark.md has no "${begin}" … "${end}".`);
  }
  const source = `From [the results of one run](../${file}).`;
  await writeFile(
    page,
    `${before}${begin}\n\n${describeResults(results)}\n\n${source}\n\n${end}${after}`,
  );
}

/**
 * Draws a detail of a picture at 200 %: the original, the marked version, and 16 times the
 * difference.
 */
export async function drawExample(picture: Picture, strength: number): Promise<void> {
  const original = await picture.load();
  const pixels = { ...original, data: Buffer.from(original.data) };
  const key = createWatermarkKey(Buffer.from("example of the documentation"));
  embedWatermark(pixels, "0123456789abcdef", key, { strength });
  const difference = {
    ...original,
    data: Uint8ClampedArray.from(
      pixels.data,
      (value, at) => 128 + 16 * (value - (original.data[at] ?? 0)),
    ),
  };
  const parts = await Promise.all([original, pixels, difference].map(enlargedPart));
  const file = fileURLToPath(new URL(`images/watermark-${picture.kind}.webp`, docs));
  await sharp({ create: { width: 1820, height: 600, channels: 3, background: "#fff" } })
    .composite(parts.map((input, index) => ({ input, left: 610 * index, top: 0 })))
    .webp({ lossless: true })
    .toFile(file);
}

function enlargedPart(pixels: Pixels): Promise<Buffer> {
  const part = { left: pixels.width >> 2, top: pixels.height >> 3, width: 300, height: 300 };
  return toSharp(pixels).extract(part).resize(600, 600, { kernel: "nearest" }).png().toBuffer();
}
