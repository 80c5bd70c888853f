import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  compareLook,
  createWatermarkKey,
  embedWatermark,
  hashDistance,
  judgeAgreement,
  perceptualHash,
  prepareSearch,
  searchWatermarks,
  takeLook,
  type LookJudgement,
  type Pixels,
} from "@atelier/watermark";
import sharp from "sharp";
import { percentile } from "../shared/statistics.ts";
import { edits, forgeries } from "./confirmation-edits.ts";
import { attacks } from "./watermark/attacks.ts";
import { listNewIllustrations, loadNewPhotographs } from "./robustness/pictures.ts";
import { listIllustrations, loadPhotographs } from "./watermark/pictures.ts";

/**
 * Measures how a mark is confirmed by the look of the image: of attacked copies whose mark is read but
 * whose perceptual hash does not match, and of pictures that a mark was copied onto.
 *
 * npm run bench -- confirmation [--images N] [--copies N] [--new] [--photos DIR] [--list]
 *
 * Pictures are those of `npm run bench -- watermark`: photographs from Debian packages, and drawings.
 * `--new` takes those of `npm run bench -- robustness`, which no constant was chosen with.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    images: { type: "string", default: "40" },
    copies: { type: "string", default: "200" },
    photos: { type: "string" },
    new: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

/** The distance up to which a perceptual hash confirms a mark without the look. */
const confirmingDistance = 31;

/** An attacker measures it by autocorrelation. */
const tilesPerSide = 512 / 68;

sharp.concurrency(1);
const key = createWatermarkKey(Buffer.from("benchmark of the confirmation"));
const half = Number(values.images) >> 1;
const [folder, load, listDrawings] = values.new
  ? (["atelier-bench-new-photographs", loadNewPhotographs, listNewIllustrations] as const)
  : (["atelier-bench-photographs", loadPhotographs, listIllustrations] as const);
const directory = values.photos ?? join(tmpdir(), folder);
await mkdir(directory, { recursive: true });
const photographs = spread(await load(directory), half);
const pictures = [...photographs, ...listDrawings(Number(values.images) - photographs.length)];

const outcomes = ["same", "different", "undecided"] as const satisfies readonly LookJudgement[];
type Tally = Record<LookJudgement, number>;
const newTally = (): Tally => ({ same: 0, different: 0, undecided: 0 });

const byAttack = new Map<string, Tally>();
const comparisonMs: number[] = [];
const marks: { id: string; pixels: Pixels }[] = [];
const unconfirmed = { attacks: newTally(), edits: newTally() };
let read = 0;
for (const picture of pictures) {
  const { name } = picture;
  const pixels = await picture.load();
  const id = idOf(name);
  embedWatermark(pixels, id, key);
  marks.push({ id, pixels });
  const original = { id, pixels, hash: perceptualHash(pixels) };
  for (const attack of [...attacks, ...edits]) {
    const attacked = await attack.apply(pixels);
    const outcome = judge(attacked, original, `${attack.name}: ${name}`);
    if (outcome === null) continue;
    read++;
    if (hashDistance(perceptualHash(attacked), original.hash) > confirmingDistance) {
      unconfirmed["aim" in attack ? "attacks" : "edits"][outcome]++;
    }
    const tally = byAttack.get(attack.name) ?? newTally();
    tally[outcome]++;
    byAttack.set(attack.name, tally);
  }
  process.stderr.write(`${marks.length} of ${pictures.length} pictures\n`);
}

const copied = newTally();
let unread = 0;
for (let step = 1; count(copied) < Number(values.copies) && step < marks.length; step++) {
  for (const [index, source] of marks.entries()) {
    if (count(copied) >= Number(values.copies)) break;
    const target = await pictures[(index + step) % pictures.length]!.load();
    const forged = copyMark(source.pixels, target);
    const changed = await forgeries[index % forgeries.length]!(forged);
    const outcome = judge(changed, source, `copied: ${pictures[index]!.name} +${step}`);
    if (outcome === null) unread++;
    else copied[outcome]++;
  }
}

report();

/** Judges the mark of an image; null when its mark is not read. */
function judge(
  pixels: Pixels,
  original: { readonly id: string; readonly pixels: Pixels },
  description: string,
): LookJudgement | null {
  const searched = prepareSearch(pixels);
  const found = searched && searchWatermarks(searched, [key]).find(({ id }) => id === original.id);
  if (!searched || !found) return null;
  const look = takeLook(original.pixels);
  if (look === null) throw new Error(`${description} is too small.`);
  const started = process.cpuUsage();
  const agreement = compareLook(searched, found.placement, look);
  const { user, system } = process.cpuUsage(started);
  comparisonMs.push((user + system) / 1_000);
  const outcome = judgeAgreement(agreement);
  if (values.list) process.stdout.write(`${outcome} ${JSON.stringify(agreement)} ${description}\n`);
  return outcome;
}

/**
 * Copies the mark of an image as an attacker can who has only this image: averages what is left of all
 * tiles after removing the local mean, and adds it to another picture, at its own scale.
 */
function copyMark(source: Pixels, target: Pixels): Pixels {
  const samples = 136;
  const tile = new Float64Array(samples * samples);
  const counts = new Float64Array(samples * samples);
  const at = (pixels: Pixels, x: number, y: number) => {
    const scale = (samples * tilesPerSide) / Math.min(pixels.width, pixels.height);
    const place = (value: number) => Math.floor((value + 0.5) * scale) % samples;
    return place(y) * samples + place(x);
  };
  const residual = removeMean(source);
  for (let y = 0; y < source.height; y++) {
    for (let x = 0; x < source.width; x++) {
      const cell = at(source, x, y);
      const value = residual[y * source.width + x]!;
      // Edges are not signal.
      tile[cell]! += Math.min(4, Math.max(-4, value));
      counts[cell]! += 1;
    }
  }
  let energy = 0;
  tile.forEach((sum, cell) => {
    tile[cell] = sum / Math.max(1, counts[cell]!);
    energy += tile[cell] ** 2;
  });
  const gain = 1.8 / Math.sqrt(energy / tile.length);
  const data = new Uint8ClampedArray(target.data);
  for (let y = 0, pixel = 0; y < target.height; y++) {
    for (let x = 0; x < target.width; x++, pixel += target.channels) {
      const change = gain * tile[at(target, x, y)]!;
      for (let channel = 0; channel < 3; channel++) data[pixel + channel]! += change;
    }
  }
  return { ...target, data };
}

/** Brightness less the mean of a square of 9 × 9 pixels. */
function removeMean({ data, width, height, channels }: Pixels): Float32Array {
  const luma = Float32Array.from({ length: width * height }, (_, at) => data[at * channels + 1]!);
  const radius = 4;
  const rows = new Float32Array(luma.length);
  const means = new Float32Array(luma.length);
  for (const [from, to, length, lines, stride, step] of [
    [luma, rows, width, height, width, 1],
    [rows, means, height, width, 1, width],
  ] as const) {
    for (let line = 0; line < lines; line++) {
      for (let place = 0; place < length; place++) {
        const [first, last] = [Math.max(0, place - radius), Math.min(length - 1, place + radius)];
        let sum = 0;
        for (let near = first; near <= last; near++) sum += from[line * stride + near * step]!;
        to[line * stride + place * step] = sum / (last - first + 1);
      }
    }
  }
  return luma.map((value, at) => value - means[at]!);
}

function spread<Item>(items: readonly Item[], wanted: number): Item[] {
  const picked = Math.min(items.length, wanted);
  return Array.from(
    { length: picked },
    (_, index) => items[Math.floor((index * items.length) / picked)]!,
  );
}

function idOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}

function count(tally: Tally): number {
  return outcomes.reduce((sum, outcome) => sum + tally[outcome], 0);
}

function report(): void {
  const rows = [...byAttack].map(
    ([name, tally]) => `| ${name} | ${outcomes.map((outcome) => tally[outcome]).join(" | ")} |`,
  );
  const all = newTally();
  for (const tally of byAttack.values()) for (const one of outcomes) all[one] += tally[one];
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  const [p50, p95] = [percentile(comparisonMs, 0.5), percentile(comparisonMs, 0.95)];
  process.stdout.write(
    [
      `| attack or edit | ${outcomes.join(" | ")} |`,
      `| --- | ${outcomes.map(() => "--:").join(" | ")} |`,
      ...rows,
      `| **all** | ${outcomes.map((outcome) => all[outcome]).join(" | ")} |`,
      `| copied marks | ${outcomes.map((outcome) => copied[outcome]).join(" | ")} |`,
      "",
      `${read} right marks read, ${read - count(unconfirmed.attacks) - count(unconfirmed.edits)} of them confirmed by the perceptual hash.`,
      ...Object.entries(unconfirmed).map(
        ([kind, tally]) =>
          `Of ${count(tally)} others after ${kind}, the look confirms ${percent(tally.same, count(tally))}; ${tally.undecided} undecided, ${tally.different} wrongly refuted.`,
      ),
      `${count(copied)} copied marks read (${unread} not readable): ${percent(copied.different, count(copied))} recognised, ${copied.same} wrongly confirmed.`,
      `CPU time of one comparison: median ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms.`,
      "",
    ].join("\n"),
  );
}
