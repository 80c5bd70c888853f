import { createHash } from "node:crypto";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  compressPixels,
  createWatermarkKey,
  detectWatermarks,
  embedWatermark,
  hashDistance,
  perceptualHash,
  type Pixels,
} from "@atelier/watermark";
import sharp from "sharp";
import { median } from "../../shared/statistics.ts";
import { attacks } from "./attacks.ts";
import { drawDetails } from "./draw-details.ts";
import { listIllustrations, loadPhotographs, toSharp, type Picture } from "./pictures.ts";
import { psnrOf, ssimOf } from "./quality.ts";

/**
 * Measures which attacks the watermark and the fingerprint survive, on pictures that no constant was chosen
 * with:
 *
 * npm run bench -- robustness [--pictures N] [--attack TEXT] [--photos DIR] [--part I/N]
 *   [--json FILE]
 * npm run bench -- robustness --merge FILE,FILE
 * npm run bench -- robustness --draw DIR
 *
 * `--part` measures every N-th picture, for several processes; `--merge` prints the tables of their files.
 * `--draw` only draws details of six pictures, with and without the mark.
 * `--attack` takes only attacks whose names contain the text. Needs `ffmpeg`, `libheif-examples` and `libjxl-tools` of Debian.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    pictures: { type: "string", default: "40" },
    attack: { type: "string", default: "" },
    photos: { type: "string", default: join(tmpdir(), "atelier-bench-new-photographs") },
    part: { type: "string", default: "1/1" },
    merge: { type: "string" },
    draw: { type: "string" },
    json: { type: "string" },
  },
});

/** A fingerprint this near is called similar: `maxHashDistance` of `packages/generations/src/jobs/registry.ts`. */
const similar = 15;

sharp.concurrency(1);
const key = createWatermarkKey(Buffer.from("benchmark of robustness"));
const half = Number(values.pictures) >> 1;
const photographs = await loadPhotographs(values.photos);
const step = Math.max(1, photographs.length / half);
const listed = [
  ...Array.from(
    { length: Math.min(half, photographs.length) },
    (_, at) => photographs[Math.floor(at * step)]!,
  ),
  ...listIllustrations(Number(values.pictures) - half),
];

/** Photographs and illustrations alternate, so that the part of a run is a sample of the whole. */
const chosen = listed.map((_, index) => listed[(index >> 1) + (index % 2) * half]!);

interface Quality {
  readonly picture: string;
  readonly kind: string;
  /** In dB, over all channels. */
  readonly psnr: number;
  readonly ssim: number;
  /** Marks that are read in the picture without one. */
  readonly falseMarks: number;
  /** Bytes of the delivered PNG, of the unmarked pixels by the same encoder, and of both at zlib's level 9. */
  readonly bytes: number;
  readonly unmarkedBytes: number;
  readonly smallestBytes: number;
  readonly unmarkedSmallestBytes: number;
}

interface Outcome {
  readonly picture: string;
  readonly kind: string;
  readonly attack: string;
  readonly mark: boolean;
  readonly look: boolean;
  readonly wrong: number;
  readonly cpuMs: number;
}
const outcomes: Outcome[] = [];
const qualities: Quality[] = [];

const idOf = (name: string) => createHash("sha256").update(name).digest("hex").slice(0, 16);

interface Marked {
  readonly id: string;
  readonly pixels: Pixels;
}
const markedPictures = new Map<number, Promise<Marked>>();

/** Pictures are marked once, although several collages have them. */
function marked(index: number): Promise<Marked> {
  const at = index % chosen.length;
  const known = markedPictures.get(at) ?? markPicture(chosen[at]!);
  markedPictures.set(at, known);
  return known;
}

async function markPicture(picture: Picture): Promise<Marked> {
  const pixels = await picture.load();
  const id = idOf(picture.name);
  embedWatermark(pixels, id, key);
  return { id, pixels };
}

const smallest = async (pixels: Pixels) =>
  (await toSharp(pixels).png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer()).length;

/** As `encodeImage` of `packages/provenance` delivers them. */
async function bytesOf(pixels: Pixels): Promise<number> {
  const compressed = compressPixels(pixels);
  if (compressed !== null && compressed.length >= pixels.data.length / 6) return compressed.length;
  return (await toSharp(pixels).png({ compressionLevel: 6 }).toBuffer()).length;
}

async function measureQuality(picture: Picture, pixels: Pixels): Promise<Quality> {
  const original = await picture.load();
  return {
    picture: picture.name,
    kind: picture.kind,
    psnr: psnrOf(original, pixels),
    ssim: ssimOf(original, pixels),
    falseMarks: detectWatermarks(original, [key]).length,
    bytes: await bytesOf(pixels),
    unmarkedBytes: await bytesOf(original),
    smallestBytes: await smallest(pixels),
    unmarkedSmallestBytes: await smallest(original),
  };
}

const applied = attacks.filter(({ name }) => name.includes(values.attack));

async function measure(index: number): Promise<void> {
  const picture = chosen[index]!;
  const { id, pixels } = await marked(index);
  qualities.push(await measureQuality(picture, pixels));
  const others = await Promise.all([1, 2, 3].map((by) => marked(index + by)));
  const known = new Set([id, ...others.map((other) => other.id)]);
  const fingerprint = perceptualHash(pixels);
  for (const attack of applied) {
    const attacked = await attack.apply(
      { ...pixels, data: Buffer.from(pixels.data) },
      others.map((other) => other.pixels),
    );
    const started = process.cpuUsage();
    const found = detectWatermarks(attacked, [key]);
    const { user, system } = process.cpuUsage(started);
    outcomes.push({
      picture: picture.name,
      kind: picture.kind,
      attack: attack.name,
      mark: found.some((one) => one.id === id),
      look: hashDistance(fingerprint, perceptualHash(attacked)) <= similar,
      wrong: found.filter((one) => !known.has(one.id)).length,
      cpuMs: (user + system) / 1000,
    });
  }
}

interface Results {
  readonly outcomes: readonly Outcome[];
  readonly qualities: readonly Quality[];
}

if (values.draw !== undefined) {
  await drawDetails(chosen, key, values.draw);
  process.exit();
}

if (values.merge === undefined) {
  const [part = 1, parts = 1] = values.part.split("/").map(Number);
  for (let index = part - 1; index < chosen.length; index += parts) {
    await measure(index);
    process.stderr.write(`${index + 1} of ${chosen.length} pictures\n`);
    if (values.json !== undefined) {
      const results: Results = { outcomes, qualities };
      await writeFile(values.json, `${JSON.stringify(results, null, 1)}\n`);
    }
  }
} else {
  for (const file of values.merge.split(",")) {
    const results = JSON.parse(await readFile(file, "utf8")) as Results;
    outcomes.push(...results.outcomes);
    qualities.push(...results.qualities);
  }
}

const percent = (list: readonly Outcome[], test: (one: Outcome) => boolean) =>
  `${((100 * list.filter(test).length) / list.length).toFixed(1)} %`;
const rowOf = (name: string, list: readonly Outcome[]) => {
  const counts = ["photograph", "illustration"].map((kind) => {
    const own = list.filter((one) => one.kind === kind);
    return `${own.filter(({ mark }) => mark).length} of ${own.length}`;
  });
  const layers = [
    percent(list, ({ look }) => look),
    percent(list, ({ mark, look }) => mark || look),
  ];
  return `| ${[name, ...counts, percent(list, ({ mark }) => mark), ...layers].join(" | ")} |`;
};
const times = outcomes.map(({ cpuMs }) => cpuMs).toSorted((one, other) => one - other);
const wrong = outcomes.reduce((sum, one) => sum + one.wrong, 0);
const falseMarks = qualities.reduce((sum, one) => sum + one.falseMarks, 0);
process.stdout.write(
  [
    `${qualities.length} pictures, ${applied.length} attacks, ${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores.`,
    "",
    "| attack | mark, photographs | mark, illustrations | mark | fingerprint | either |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...applied.map(({ name }) =>
      rowOf(
        name,
        outcomes.filter(({ attack }) => attack === name),
      ),
    ),
    rowOf("**all**", outcomes),
    "",
    `Wrong ids: ${wrong}. Marks in pictures without one: ${falseMarks}. CPU ms of a search: median ${times[times.length >> 1]?.toFixed(0)}, 95 % ${times[Math.floor(times.length * 0.95)]?.toFixed(0)}, highest ${times.at(-1)?.toFixed(0)}.`,
    "",
    "| picture | PSNR, dB | SSIM | PNG, kB | unmarked | growth | growth at level 9 |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...qualities.map((one) => {
      const growth = one.bytes / one.unmarkedBytes;
      const smallestGrowth = one.smallestBytes / one.unmarkedSmallestBytes;
      const sizes = [one.bytes, one.unmarkedBytes].map((bytes) => (bytes / 1000).toFixed(0));
      const figures = [one.psnr.toFixed(1), one.ssim.toFixed(4), ...sizes];
      return `| ${[one.picture, ...figures, growth.toFixed(2), smallestGrowth.toFixed(2)].join(" | ")} |`;
    }),
    "",
    `PSNR, median: ${median(qualities.map(({ psnr }) => psnr)).toFixed(1)} dB; of photographs ${median(qualities.filter(({ kind }) => kind === "photograph").map(({ psnr }) => psnr)).toFixed(1)} dB.`,
    "",
  ].join("\n"),
);
