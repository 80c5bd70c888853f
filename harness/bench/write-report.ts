import { readFile } from "node:fs/promises";
import { writeReport } from "./report.ts";
import type { BenchResults } from "./results.ts";

/**
 * Regenerates docs/performance.md from the results of an earlier run, and of runs of single parts:
 *
 *   node harness/bench/write-report.ts harness/bench/results/2026-11-21.json […]
 */
const [first, ...others] = process.argv.slice(2);
if (first === undefined) {
  throw new Error("pass the path of the results, such as harness/bench/results/2026-11-21.json");
}
await writeReport([await read(first), ...(await Promise.all(others.map(read)))]);

async function read(file: string) {
  return { results: JSON.parse(await readFile(file, "utf8")) as BenchResults, file };
}
