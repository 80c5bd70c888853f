import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makePhoto } from "../bench/photo.ts";
import { startServices } from "../shared/start-services.ts";
import { median } from "../shared/statistics.ts";
import { compared, fitted, type Configuration } from "./configuration.ts";
import { fit, predict, type FittedCosts } from "./fit.ts";
import { measure, measureCommit, type Measured, type Measurement } from "./measure.ts";
import { writeCapacity } from "./write-capacity.ts";

/**
 * Simulates installations that no machine at hand can hold.
 *
 * npm run simulate -- measure [--rounds N] [--seconds N]   measures this machine, and saves it
 * npm run simulate -- compare                              prints measured and simulated rates
 * npm run simulate -- plan                                 writes docs/capacity.md
 *
 * `measure` takes ten minutes and needs a machine that does nothing else.
 */
const file = new URL("measured.json", import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "6" },
  },
});
const [command] = positionals;
if (command === "measure") await measureAll();
else if (command === "compare") process.stdout.write(`${drawComparison(await readMeasured())}\n`);
else if (command === "plan") {
  const measured = await readMeasured();
  await writeCapacity(measured, fitTo(measured), drawComparison(measured));
} else throw new Error('name one of "measure", "compare" and "plan"');

async function measureAll(): Promise<void> {
  const rounds = Number(values.rounds);
  const services = await startServices("simulation", {
    shared_preload_libraries: "pg_stat_statements",
    max_connections: "400",
    max_wal_size: "4GB",
  });
  const { directory } = services;
  try {
    const photos = { 64: join(directory, "small.png"), 1_024: join(directory, "large.png") };
    await writeFile(photos[64], await makePhoto(64));
    await writeFile(photos[1_024], await makePhoto(1_024));
    const flushes: number[] = [];
    const all = [...Object.values(fitted), ...compared];
    const measured = new Map<Configuration, Measurement[]>(all.map((each) => [each, []]));
    for (let round = 1; round <= rounds; round++) {
      flushes.push(await measureCommit(services));
      // The order changes, so that none benefits from its position.
      for (const each of round % 2 === 1 ? all : all.toReversed()) {
        measured.get(each)?.push(await measure(services, photos, each, Number(values.seconds)));
        process.stderr.write(`round ${round} of ${rounds}: ${each.name}\n`);
      }
    }
    const result: Measured = {
      date: new Date().toISOString().slice(0, 10),
      processor: cpus()[0]?.model ?? "unknown",
      cores: availableParallelism(),
      rounds,
      flushMs: median(flushes),
      configurations: all.map((each) => ({
        ...each,
        measured: medianOf(measured.get(each) ?? []),
      })),
    };
    const rounded = (_: string, value: unknown) =>
      typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value;
    await writeFile(file, `${JSON.stringify(result, rounded, 2)}\n`);
    process.stdout.write(`${drawComparison(result)}\n`);
  } finally {
    await services.stop();
  }
}

async function readMeasured(): Promise<Measured> {
  return JSON.parse(await readFile(file, "utf8")) as Measured;
}

/** The median of each figure, including those in objects. */
function medianOf<Figures extends object>(all: readonly Figures[]): Figures {
  const names = Object.keys(all[0] ?? {}) as (keyof Figures)[];
  return Object.fromEntries(
    names.map((name) => {
      const figures = all.map((each) => each[name]);
      return typeof figures[0] === "number"
        ? [name, median(figures as number[])]
        : [name, medianOf(figures as object[])];
    }),
  ) as Figures;
}

function fitTo({ configurations, flushMs, cores }: Measured): FittedCosts {
  const measured = Object.fromEntries(
    Object.entries(fitted).map(([key, { name }]) => {
      const found = configurations.find((each) => each.name === name);
      if (found === undefined) throw new Error(`"${name}" was not measured`);
      return [key, found.measured];
    }),
  ) as Record<keyof typeof fitted, Measurement>;
  return fit(measured, fitted, { flushMs, cores });
}

function drawComparison(measured: Measured): string {
  const costs = fitTo(measured);
  const lines = measured.configurations.map((each) => {
    const predicted = predict(each, costs, measured.cores);
    const isFitted = Object.values(fitted).some(({ name }) => name === each.name);
    const cells = [
      each.name,
      isFitted ? "fitted" : "compared",
      each.measured.perSecond.toFixed(1),
      predicted.perSecond.toFixed(1),
      `${((predicted.perSecond / each.measured.perSecond - 1) * 100).toFixed(0)} %`,
      `${each.measured.medianMs.toFixed(0)} ms`,
      `${predicted.medianMs.toFixed(0)} ms`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Configuration | | Images/s, measured | simulated | Difference | Median, measured | simulated |",
    "| --- | --- | --: | --: | --: | --: | --: |",
    ...lines,
  ].join("\n");
}
