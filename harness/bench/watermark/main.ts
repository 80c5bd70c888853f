import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { attacks } from "./attacks.ts";
import {
  countFalsePositives,
  measureMarked,
  measureTimes,
  readingsPerNegative,
  type Marked,
  type Timing,
} from "./measure.ts";
import { createNegatives } from "./negatives.ts";
import { listIllustrations, loadPhotographs } from "./pictures.ts";
import { describeResults, drawExample, writeWatermarkReport } from "./report.ts";
import type { WatermarkResults } from "./results.ts";

/**
 * Measures the watermark: which attacks it survives, how much it changes images, how often it is
 * detected in unmarked images, and how long it takes.
 *
 * npm run bench -- watermark [--images N] [--negatives N] [--strength X] [--photos DIR] [--json
 * FILE [--report]]
 *
 * Photographs come from Debian packages, which are downloaded to DIR and never installed. A run takes
 * about an hour of CPU time. It continues the FILE of an interrupted run, so that `--images` and
 * `--negatives` may also be measured one after the other. `--report` writes the figures into
 * docs/watermark.md, with pictures.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    images: { type: "string", default: "300" },
    negatives: { type: "string", default: "625" },
    strength: { type: "string", default: "1" },
    photos: { type: "string", default: join(tmpdir(), "atelier-bench-photographs") },
    json: { type: "string" },
    report: { type: "boolean", default: false },
  },
});
if (values.report && values.json === undefined) throw new Error("--report needs --json");

sharp.concurrency(1);
const startedAt = new Date().toISOString();
const strength = Number(values.strength);
await mkdir(values.photos, { recursive: true });
const photographs = await loadPhotographs(values.photos);
const wanted = Number(values.images);
const half = Math.min(photographs.length, wanted >> 1);
const step = photographs.length / half;
const listed = [
  ...Array.from({ length: half }, (_, index) => photographs[Math.floor(index * step)]),
  ...listIllustrations(wanted - half),
].filter((picture) => picture !== undefined);
// Spread over the list (the stride is a prime), so that the part of a run is a sample of the whole.
const pictures = listed.map((_, index) => listed[(index * 1_009) % listed.length] ?? listed[0]!);

const earlier = await readEarlier();
const times: Timing[] = [...(earlier?.times ?? [])];
const marked: Marked[] = [...(earlier?.marked ?? [])];
let negatives = earlier?.negatives ?? { images: 0, readings: 0, falsePositives: 0 };
const [first] = photographs;
if (first !== undefined && times.length === 0) {
  for (const side of [256, 1024, 2048, 4096]) times.push(await measureTimes(first, side));
}
for (const picture of pictures.slice(marked.length)) {
  marked.push(await measureMarked(picture, strength));
  if (marked.length % 10 === 0) await save();
}
for (const [index, pixels] of createNegatives(pictures, Number(values.negatives))) {
  if (index < negatives.images) continue;
  negatives = {
    images: negatives.images + 1,
    readings: negatives.readings + readingsPerNegative,
    falsePositives: negatives.falsePositives + countFalsePositives(await pixels()),
  };
  if (negatives.images % 50 === 0) await save();
}
const results = await save();
process.stdout.write(`${describeResults(results)}\n`);
if (values.report && values.json !== undefined) {
  await writeWatermarkReport(results, values.json);
  const illustration = pictures.findLast(({ kind }) => kind === "illustration");
  for (const picture of [pictures[0], illustration]) {
    if (picture !== undefined) await drawExample(picture, strength);
  }
}

/** The results of an interrupted run; null without a results file. */
async function readEarlier(): Promise<WatermarkResults | null> {
  if (values.json === undefined) return null;
  const text = await readFile(values.json, "utf8").catch(() => null);
  const found = text === null ? null : (JSON.parse(text) as WatermarkResults);
  if (found !== null && found.strength !== strength) {
    throw new Error(`${values.json} was measured at strength ${found.strength}.`);
  }
  return found;
}

async function save(): Promise<WatermarkResults> {
  const saved = {
    startedAt: earlier?.startedAt ?? startedAt,
    machine: { processor: cpus()[0]?.model ?? "unknown", cores: availableParallelism() },
    strength,
    marked,
    negatives,
    times,
  };
  process.stderr.write(
    `${marked.length} of ${pictures.length} images × ${attacks.length} attacks, ${negatives.images} negatives\n`,
  );
  if (values.json !== undefined) {
    const rounded = (_: string, value: unknown) =>
      typeof value === "number" ? Math.round(value * 10_000) / 10_000 : value;
    await mkdir(dirname(values.json), { recursive: true });
    await writeFile(values.json, `${JSON.stringify(saved, rounded, 1)}\n`);
  }
  return saved;
}
