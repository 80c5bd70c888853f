// Keeps when each part of `.ci/run --full` passed last, in harness/last-full.json.
//
//   node .ci/last-full.mjs record <part> <file>   file: lines of "<step>\t<seconds>\t<CPU seconds>"
//   node .ci/last-full.mjs show

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const path = new URL("../harness/last-full.json", import.meta.url);
const parts = JSON.parse(readFileSync(path, "utf8"));
const [command, part, file] = process.argv.slice(2);

if (command === "record") {
  const steps = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"))
    .map(([name, seconds, cpuSeconds]) => ({
      name,
      seconds: Number(seconds),
      cpu_seconds: Number(cpuSeconds),
    }));
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  parts[part] = { date: new Date().toISOString().slice(0, 10), commit, steps };
  writeFileSync(path, `${JSON.stringify(parts, null, 2)}\n`);
}

process.stdout.write("\n=== Last full runs\n");
for (const name of ["1", "2", "3", "4"]) {
  const run = parts[name];
  if (run === undefined) {
    process.stdout.write(`part ${name}: not run yet\n`);
    continue;
  }
  const minutes = run.steps.reduce((sum, step) => sum + step.seconds, 0) / 60;
  process.stdout.write(
    `part ${name}: ${run.date}, ${run.commit.slice(0, 8)}, ${minutes.toFixed(0)} min\n`,
  );
}
