import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { createDatabase } from "@atelier/database";
import type { BenchContext } from "./context.ts";
import { measureAccept } from "./parts/accept.ts";
import { measureGateway } from "./parts/gateway.ts";
import { measureLists } from "./parts/lists.ts";
import { measureMemory } from "./parts/memory.ts";
import { measureOverhead } from "./parts/overhead.ts";
import { measureReads } from "./parts/reads.ts";
import { measureStreams } from "./parts/streams.ts";
import { measureThroughput } from "./parts/throughput.ts";
import { measureWorkers } from "./parts/workers.ts";
import { makePhoto } from "./photo.ts";
import { writeReport } from "./report.ts";
import type { BenchOptions, BenchResults, Machine, PartName, Parts } from "./results.ts";
import { describeParts } from "./sections.ts";
import { startServices, type BenchServices } from "../shared/start-services.ts";

/**
 * Measures the service on this machine, and a baseline to compare it with.
 *
 * npm run bench -- [part ...] [--rounds N] [--seconds N] [--history N] [--json file [--report]]
 *
 * Parts: overhead, throughput, gateway, workers, accept, reads, lists, memory, streams; default: all. `--history` is
 * the number of generations in the large table of `lists`. Results are printed as tables, and
 * written to the file as JSON after each part. `--report` writes docs/performance.md from them.
 */
const measure: { readonly [Name in PartName]: (context: BenchContext) => Promise<Parts[Name]> } = {
  overhead: measureOverhead,
  throughput: measureThroughput,
  gateway: measureGateway,
  workers: measureWorkers,
  accept: measureAccept,
  reads: measureReads,
  memory: measureMemory,
  lists: measureLists,
  streams: measureStreams,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "8" },
    history: { type: "string", default: "5000000" },
    json: { type: "string" },
    report: { type: "boolean", default: false },
  },
});
const allNames = Object.keys(measure) as PartName[];
const unknown = positionals.find((name) => !Object.hasOwn(measure, name));
if (unknown !== undefined) {
  throw new Error(`unknown part "${unknown}". Known parts: ${allNames.join(", ")}.`);
}
const names = allNames.filter((name) => positionals.length === 0 || positionals.includes(name));
const options: BenchOptions = {
  rounds: readCount("rounds"),
  seconds: readCount("seconds"),
  history: readCount("history"),
};

if (values.report && values.json === undefined) {
  throw new Error("--report needs --json: the page names the file of its results");
}

const startedAt = new Date().toISOString();
const [loadBefore = 0] = loadavg();
const services = await startServices("bench");
const { directory } = services;
try {
  const photo = join(directory, "photo.png");
  await writeFile(photo, await makePhoto(1_024));
  const smallPhoto = join(directory, "small-photo.png");
  await writeFile(smallPhoto, await makePhoto(64));
  const context: BenchContext = { ...options, services, photo, smallPhoto, progress };
  const machine = await describeMachine(services);
  let parts: Partial<Parts> = {};
  for (const name of names) {
    parts = { ...parts, [name]: await measure[name](context) };
    await save({ startedAt, machine, options, parts });
  }
  const results: BenchResults = { startedAt, machine, options, parts };
  process.stdout.write(`${describeParts(results)}\n`);
  if (values.report && values.json !== undefined) {
    await writeReport([{ results, file: values.json }]);
  }
} finally {
  await services.stop();
}

async function describeMachine({ postgresUrl, queues }: BenchServices): Promise<Machine> {
  const database = createDatabase({ url: postgresUrl, poolSize: 1, applicationName: "bench" });
  const [server] = await database.query<{ server_version: string }>("SHOW server_version");
  await database.close();
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    loadBefore: Math.round(loadBefore * 10) / 10,
    node: process.versions.node,
    postgres: server?.server_version ?? "unknown",
    queues: queues.map(({ name }) => name),
  };
}

/** Saved after each part, because later parts may fail. More than two decimals would be noise. */
async function save(results: BenchResults): Promise<void> {
  if (values.json === undefined) return;
  const rounded = (_: string, value: unknown) =>
    typeof value === "number" ? Math.round(value * 100) / 100 : value;
  await mkdir(dirname(values.json), { recursive: true });
  await writeFile(values.json, `${JSON.stringify(results, rounded, 2)}\n`);
}

function readCount(name: "rounds" | "seconds" | "history"): number {
  const count = Number(values[name]);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--${name} must be a whole number of at least 1`);
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
