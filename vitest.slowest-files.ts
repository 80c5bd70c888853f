import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const shown = 10;

/** Prints the slowest files at the end of a run of several, with the seconds of each. */
export const slowestFiles: Reporter = {
  onTestRunEnd(files) {
    if (files.length <= shown) return;
    const slowest = files
      .map((file) => ({
        name: relative(import.meta.dirname, file.moduleId),
        seconds: secondsOf(file),
      }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, shown)
      .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
    process.stdout.write(`\nSlowest files\n${slowest.join("\n")}\n`);
  },
};

/** Time to load a file and to run its tests and hooks. */
function secondsOf(file: TestModule): number {
  const { collectDuration, duration } = file.diagnostic();
  return (collectDuration + duration) / 1000;
}
