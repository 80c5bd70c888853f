import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startBenchStack, type BenchStack } from "./bench-stack.ts";
import { makePhoto } from "./photo.ts";
import { startServices } from "./services.ts";
import { median, percentile } from "./statistics.ts";

/**
 * Measures the service against what it cannot go below, side by side in one run, since the machine is
 * noisy: (a) its own share of the time of one image, on Redis and on Postgres; (b) images per second
 * beside the bound that encoding, signing and hashing alone allow.
 *
 *   npm run bench -- [--rounds N] [--json]
 */
const rounds = Number(argumentOf("--rounds") ?? 5);
const json = process.argv.includes("--json");
const requestsPerRound = 12;
const throughputSeconds = 8;
const concurrency = 4;

const directory = await mkdtemp(join(tmpdir(), "atelier-bench-"));
await chmod(directory, 0o755);
const image = join(directory, "photo.png");
await writeFile(image, await makePhoto());
const services = await startServices(directory);
const stacks: BenchStack[] = [];
try {
  for (const queue of services.queues) {
    stacks.push(
      await startBenchStack({ ...queue, postgresUrl: services.postgresUrl, image, concurrency }),
    );
  }

  const overheads = new Map(stacks.map(({ name }) => [name, [] as number[]]));
  for (const stack of stacks) await stack.measureOverhead(30);
  for (let round = 1; round <= rounds; round++) {
    for (const stack of stacks) {
      overheads.get(stack.name)?.push(...(await stack.measureOverhead(requestsPerRound)));
    }
    progress(`overhead: round ${round} of ${rounds}`);
  }

  const throughputs = new Map([
    ["bound", [] as number[]],
    ...stacks.map(({ name }) => [name, [] as number[]] as const),
  ]);
  for (let round = 1; round <= rounds; round++) {
    throughputs.get("bound")?.push(await measureBound());
    for (const stack of stacks) {
      throughputs.get(stack.name)?.push(await stack.measureThroughput(throughputSeconds));
    }
    progress(`throughput: round ${round} of ${rounds}`);
  }

  report(overheads, throughputs);
} finally {
  for (const stack of stacks) await stack.stop();
  await services.stop();
  await rm(directory, { recursive: true, force: true });
}

async function measureBound(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL("bound.ts", import.meta.url)),
    image,
    String(throughputSeconds),
    String(concurrency),
  ]);
  return Number(stdout);
}

function report(overheads: Map<string, number[]>, throughputs: Map<string, number[]>): void {
  const bound = median(throughputs.get("bound") ?? []);
  const results = {
    cores: availableParallelism(),
    rounds,
    overheadMs: Object.fromEntries(
      [...overheads].map(([name, values]) => [
        name,
        { median: median(values), p95: percentile(values, 0.95), images: values.length },
      ]),
    ),
    imagesPerSecond: Object.fromEntries(
      [...throughputs].map(([name, values]) => [
        name,
        { median: median(values), ofBound: median(values) / bound, rounds: values },
      ]),
    ),
  };
  if (json) {
    process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    return;
  }
  const lines = [
    "",
    "Overhead of the service per image, in ms (request in → answer out, less model, encoding, signing and storing)",
    ...Object.entries(results.overheadMs).map(
      ([name, { median: middle, p95, images }]) =>
        `  ${name.padEnd(9)} median ${middle.toFixed(1).padStart(6)}   p95 ${p95.toFixed(1).padStart(6)}   (${images} images)`,
    ),
    "",
    `Images per second on ${results.cores} cores, 1024 × 1024 in three formats`,
    ...Object.entries(results.imagesPerSecond).map(
      ([name, { median: middle, ofBound }]) =>
        `  ${name.padEnd(9)} ${middle.toFixed(2).padStart(6)}   ${(ofBound * 100).toFixed(0).padStart(3)} % of the bound`,
    ),
    "",
  ];
  process.stdout.write(lines.join("\n"));
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function argumentOf(name: string): string | undefined {
  const index = process.argv.indexOf(name);
  return index === -1 ? undefined : process.argv[index + 1];
}
