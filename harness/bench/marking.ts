import sharp from "sharp";
import { createDevelopmentCertificates, type Marker } from "@atelier/provenance";
import { createMarker } from "@atelier/provenance/images";
import { median } from "../shared/statistics.ts";
import { makePhoto } from "./photo.ts";

/**
 * Measures the CPU time of marking an image of 1024 × 1024 pixels with files signed natively, and signed
 * and verified by the C2PA library alone:
 *
 * npm run bench -- marking [repetitions]
 *
 * Both alternate, so that other work on the machine affects both. `created` is an image of a built-in
 * model, whose pixels are not searched for earlier watermarks; `returned` is an image of a remote model.
 */
const repetitions = Number(process.argv[3] ?? 20);
const edge = 1024;

const { rootPem: trustAnchorsPem, ...certificates } = await createDevelopmentCertificates();
const options = {
  ...certificates,
  trustAnchorsPem,
  claimGenerator: { name: "Atelier", version: "bench" },
  watermarkSecrets: ["the watermark secret of this benchmark"],
};
const markers = {
  native: await createMarker(options),
  library: await createMarker({ ...options, usesLibraryOnly: true }),
};
const bytes = await makePhoto(edge);
const model = { id: "bench", name: "Bench", provider: "bench" };

/** CPU milliseconds of each repetition, by case. */
const measured = new Map<string, number[]>();
let fallbacks = 0;

// The first round warms up the compiler, and includes the reading of all files by the library.
for (let round = 0; round <= repetitions; round++) {
  for (const [signing, marker] of Object.entries(markers)) {
    for (const kind of ["created", "returned"] as const) {
      const cpuMs = await measure(marker, kind === "created");
      const name = `${kind}, signed by ${signing === "native" ? "this program" : "the library"}`;
      if (round > 0) measured.set(name, [...(measured.get(name) ?? []), cpuMs]);
    }
  }
}

process.stdout.write(
  `PNG of ${edge} × ${edge} pixels, ${bytes.length} bytes, ${repetitions} repetitions, ${sharp.concurrency()} threads of libvips, ${fallbacks} fallbacks\n` +
    "| case | CPU ms, median | lowest | highest |\n| --- | --: | --: | --: |\n",
);
for (const [name, values] of measured) {
  const shown = [median(values), Math.min(...values), Math.max(...values)];
  process.stdout.write(`| ${name} | ${shown.map((ms) => ms.toFixed(0)).join(" | ")} |\n`);
}

async function measure(marker: Marker, procedural: boolean): Promise<number> {
  const start = process.cpuUsage();
  const files = await marker.mark({
    image: { bytes },
    model: { ...model, procedural },
    ingredients: [],
    createdAt: new Date(),
  });
  const { user, system } = process.cpuUsage(start);
  fallbacks += files.filter(({ signingFallback }) => signingFallback !== null).length;
  return (user + system) / 1_000;
}
