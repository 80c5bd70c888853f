import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchResults } from "./results.ts";
import { describeSections, type Section } from "./sections.ts";

/**
 * Writes docs/performance.md and its charts from the results of a run, so that figures, text and
 * charts cannot disagree.
 *
 *   node bench/write-report.ts bench/results/2026-11-21.json
 */
const [file] = process.argv.slice(2);
if (file === undefined)
  throw new Error("name the results: node bench/write-report.ts results.json");
const results = JSON.parse(await readFile(file, "utf8")) as BenchResults;
const { machine, options } = results;
const sections = describeSections(results);
const docs = fileURLToPath(new URL("../docs", import.meta.url));

await mkdir(join(docs, "performance"), { recursive: true });
for (const { name, chart } of sections) {
  await writeFile(join(docs, "performance", `${name}.svg`), chart);
}
await writeFile(join(docs, "performance.md"), page());

function page(): string {
  return `# Performance

Written by \`bench/write-report.ts\` from [the results of one run](../bench/results/README.md), not by hand.

${sections.map(({ title, verdict }) => `- **${title}**: ${verdict}`).join("\n")}

## How it was measured

On ${results.startedAt.slice(0, 10)}: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Postgres ${machine.postgres}, queues on ${machine.queues.join(" and ")}. The load of the machine before the run was ${machine.loadBefore}. Everything ran on this one machine, the client included: API, workers, Postgres with \`fsync\` and \`synchronous_commit\` on, and a Redis that writes no file.

What is compared is measured in the same round, in turn: ${options.rounds} rounds, of which the tables show medians. Absolute figures are of this machine. Ratios carry further, and even they are noisy on a machine that has other things to do.

All of it again: \`npm run bench -- --json results.json\`, then \`node bench/write-report.ts results.json\`. Rounds, the length of a measurement and the size of the large table are chosen with \`--rounds\`, \`--seconds\` and \`--history\`.

${sections.map(writeSection).join("\n\n")}

## What is not measured

- Real providers: they take seconds, and their time is theirs.
- S3: images are stored as files here.
- A network: everything is on the loopback interface, and without TLS.
- Several machines, and a Postgres that has a machine for itself.
- Long runs: no round is longer than a few minutes.
`;
}

function writeSection({ name, title, method, table, verdict }: Section): string {
  return `## ${title}

${method}

${table}

![${title}](performance/${name}.svg)

${verdict} Again: \`npm run bench -- ${name}\`.`;
}
