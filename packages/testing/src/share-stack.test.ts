import { glob, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { repositoryRoot } from "./start-test-program.ts";

it("ends in each test file with services before it uses fake timers", async () => {
  const pattern = "{apps,packages}/**/*.{integration,matrix,stacks,slow,faults}.test.ts";
  const exclude = (name: string) => name.includes("node_modules");
  const missing: string[] = [];
  for await (const name of glob(pattern, { cwd: repositoryRoot, exclude })) {
    const source = await readFile(new URL(name, `file://${repositoryRoot}`), "utf8");
    if (!source.includes("useFakeTimers(")) continue;
    if (!source.includes("await endSharedStacks()")) missing.push(name);
  }
  expect(missing).toEqual([]);
});
