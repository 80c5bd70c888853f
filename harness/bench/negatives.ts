import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  createWatermarkKey,
  prepareSearch,
  searchWatermarks,
  type Pixels,
} from "@atelier/watermark";
import sharp from "sharp";
import { median } from "../shared/statistics.ts";
import { listNewIllustrations, loadNewPhotographs } from "./robustness/pictures.ts";
import {
  listIllustrations,
  loadPhotographs,
  toPixels,
  toSharp,
  type Picture,
} from "./watermark/pictures.ts";

/**
 * Counts marks that are read in pictures without one:
 *
 * npm run bench -- negatives [--images N] [--keys N] [--from N] [--to N] [--part I/N] [--json FILE]
 * npm run bench -- negatives --merge FILE,FILE
 *
 * Cuts photographs and illustrations into disjoint parts, changes seven of eight parts, and searches each
 * for the marks of several secrets. Any id counts, whether it is registered or not: the number of records
 * does not matter. `--from` and `--to` are the first and the last picture, counted from 1, of a run that
 * continues another one; `--part` takes every N-th picture. `--json` is written after each picture.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    images: { type: "string", default: "1000" },
    keys: { type: "string", default: "10" },
    from: { type: "string", default: "1" },
    to: { type: "string" },
    part: { type: "string", default: "1/1" },
    merge: { type: "string" },
    json: { type: "string" },
  },
});

/** Parts with a shorter side are enlarged more than pictures that people send. */
const minPartSide = 256;

const variants: readonly ((pixels: Pixels) => Promise<Pixels>)[] = [
  async (pixels) => pixels,
  async (pixels) => toPixels(sharp(await toSharp(pixels).jpeg({ quality: 50 }).toBuffer())),
  (pixels) => toPixels(toSharp(pixels).flop()),
  (pixels) => toPixels(toSharp(pixels).rotate(7, { background: "#fff" })),
  (pixels) => toPixels(toSharp(pixels).resize(Math.round(pixels.width * 0.7))),
  (pixels) => toPixels(toSharp(pixels).gamma(1.4)),
  (pixels) => toPixels(toSharp(pixels).negate()),
  (pixels) => toPixels(toSharp(pixels).sharpen()),
];

interface Counts {
  readonly names: readonly string[];
  readonly photographs: number;
  readonly illustrations: number;
  readonly parts: number;
  readonly readings: number;
  readonly found: number;
  readonly cpuMs: readonly number[];
}
let counts: Counts = {
  names: [],
  photographs: 0,
  illustrations: 0,
  parts: 0,
  readings: 0,
  found: 0,
  cpuMs: [],
};

sharp.concurrency(1);
if (values.merge === undefined) await measure();
else {
  for (const file of values.merge.split(",")) add(JSON.parse(await readFile(file, "utf8")));
}
process.stdout.write(
  `${counts.parts} disjoint parts of ${counts.photographs} photographs and ${counts.illustrations} illustrations without a mark, ${counts.readings} readings: ${counts.found} marks found. CPU ms of a search with ${counts.readings / counts.parts} keys: median ${median(counts.cpuMs).toFixed(0)}.\n`,
);

async function measure(): Promise<void> {
  const keys = Array.from({ length: Number(values.keys) }, (_, index) =>
    createWatermarkKey(Buffer.from(`secret ${index} of the benchmark of negatives`)),
  );
  const photographs = [
    ...(await loadNewPhotographs(join(tmpdir(), "atelier-bench-new-photographs"))),
    // The centres of large ones are parts of the others.
    ...(await loadPhotographs(join(tmpdir(), "atelier-bench-photographs"))).filter(
      ({ name }) => !name.endsWith("(middle)"),
    ),
  ];
  const drawings = [...listNewIllustrations(50), ...listIllustrations(photographs.length)];
  const pictures = photographs.flatMap((picture, index) => [picture, drawings[index]!]);
  const perPicture = Math.ceil(Number(values.images) / pictures.length);
  const [part = 1, parts = 1] = values.part.split("/").map(Number);
  const last = Math.min(Number(values.to ?? pictures.length), pictures.length);
  for (let index = Number(values.from) + part - 2; index < last; index += parts) {
    add(await measurePicture(pictures[index]!, index, perPicture, keys));
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(counts)}\n`);
    process.stderr.write(`${index + 1} of ${pictures.length} pictures, ${counts.found} found\n`);
  }
}

async function measurePicture(
  picture: Picture,
  index: number,
  wanted: number,
  keys: Parameters<typeof searchWatermarks>[1],
): Promise<Counts> {
  const cuts = cut(await picture.load(), wanted);
  let found = 0;
  const cpuMs: number[] = [];
  for (const [at, load] of cuts.entries()) {
    const pixels = await variants[(index + at) % variants.length]!(await load());
    const started = process.cpuUsage();
    const searched = prepareSearch(pixels);
    if (searched !== null) found += searchWatermarks(searched, keys).length;
    const { user, system } = process.cpuUsage(started);
    cpuMs.push((user + system) / 1000);
  }
  return {
    names: [picture.name],
    photographs: picture.kind === "photograph" ? 1 : 0,
    illustrations: picture.kind === "illustration" ? 1 : 0,
    parts: cuts.length,
    readings: cuts.length * keys.length,
    found,
    cpuMs,
  };
}

/** Cuts a picture into at most so many parts, which do not overlap. */
function cut(pixels: Pixels, wanted: number): (() => Promise<Pixels>)[] {
  const columns = Math.min(Math.ceil(Math.sqrt(wanted)), Math.floor(pixels.width / minPartSide));
  const rows = Math.min(Math.ceil(wanted / columns), Math.floor(pixels.height / minPartSide));
  const [width, height] = [Math.floor(pixels.width / columns), Math.floor(pixels.height / rows)];
  return Array.from({ length: Math.min(wanted, columns * rows) }, (_, at) => () => {
    const [left, top] = [(at % columns) * width, Math.floor(at / columns) * height];
    return toPixels(toSharp(pixels).extract({ left, top, width, height }));
  });
}

function add(more: Counts): void {
  counts = {
    names: [...counts.names, ...more.names],
    photographs: counts.photographs + more.photographs,
    illustrations: counts.illustrations + more.illustrations,
    parts: counts.parts + more.parts,
    readings: counts.readings + more.readings,
    found: counts.found + more.found,
    cpuMs: [...counts.cpuMs, ...more.cpuMs],
  };
}
