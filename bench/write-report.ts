import { readFile } from "node:fs/promises";
import { writeReport } from "./report.ts";
import type { BenchResults } from "./results.ts";

/**
 * Writes docs/performance.md again from the results of an earlier run:
 *
 *   node bench/write-report.ts bench/results/2026-11-21.json
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("name the results, such as bench/results/2026-11-21.json");
await writeReport(JSON.parse(await readFile(file, "utf8")) as BenchResults, file);
