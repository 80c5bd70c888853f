import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findProblems } from "./find-problems.ts";
import { measure } from "./measure.ts";
import type { Measured } from "./measure.ts";
import { printSizes } from "./print-sizes.ts";

/**
 * Prints the lines and files of production code by package beside those of the last release. Fails when a
 * file or a folder has become too large. With `--record`, writes the figures as those of the last release.
 *
 * npm run size
 */
const { values } = parseArgs({ options: { record: { type: "boolean", default: false } } });
const lastRelease = new URL("last-release.json", import.meta.url);
const root = new URL("../..", import.meta.url);
const measured = measure(fileURLToPath(root));

if (values.record) {
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
    version: string;
  };
  const { packages, files } = measured;
  writeFileSync(lastRelease, `${JSON.stringify({ version, packages, files }, null, 2)}\n`);
}

const released = JSON.parse(readFileSync(lastRelease, "utf8")) as Measured & { version: string };
process.stdout.write(printSizes(released, measured));

const problems = findProblems(measured);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
