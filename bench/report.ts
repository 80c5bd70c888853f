import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchResults } from "./results.ts";
import { describeSections, type Section } from "./sections.ts";

const docs = fileURLToPath(new URL("../docs", import.meta.url));

/**
 * Writes docs/performance.md and its charts from the results of a run, so that figures, text and
 * charts cannot disagree.
 *
 * @param file where the results are: the page names it.
 */
export async function writeReport(results: BenchResults, file: string): Promise<void> {
  await mkdir(join(docs, "performance"), { recursive: true });
  for (const { name, chart } of describeSections(results)) {
    await writeFile(join(docs, "performance", `${name}.svg`), chart);
  }
  await writeFile(join(docs, "performance.md"), describePage(results, basename(file)));
}

function describePage(results: BenchResults, fileName: string): string {
  const { machine, options } = results;
  const sections = describeSections(results);
  return `# Performance

Written by \`bench/write-report.ts\` from [the results of one run](../bench/results/${fileName}), not by hand.

${sections.map(({ title, verdict }) => `- **${title}**: ${verdict}`).join("\n")}

## How it was measured

On ${results.startedAt.slice(0, 10)}: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Postgres ${machine.postgres}, queues on ${machine.queues.join(" and ")}. The load of the machine before the run was ${machine.loadBefore}. Everything ran on this one machine, the client included: API, workers, Postgres with \`fsync\` and \`synchronous_commit\` on, and a Redis that writes no file.

What is compared is measured in the same round, in turn: ${options.rounds} round${options.rounds === 1 ? "" : "s"}, of which the tables show medians. Absolute figures are of this machine. Ratios carry further, and even they are noisy on a machine that has other things to do.

All of it again: \`npm run bench -- --json bench/results/${fileName} --report\`. Rounds, the length of a measurement and the size of the large table are chosen with \`--rounds\`, \`--seconds\` and \`--history\`.

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
