import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { fileChecks } from "./audit-files.ts";
import { invariants } from "./invariants.ts";
import { operatorLogCheck } from "./operator-log.ts";

it("has a row in docs/operations.md with the meaning of every check and what to do", async () => {
  const page = await readFile(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const documented = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|")[1]?.trim());
  const names = [
    ...invariants.map(({ name }) => name),
    ...Object.values(fileChecks),
    operatorLogCheck,
  ];
  expect(names.filter((name) => !documented.includes(name))).toEqual([]);
});

it("documents the repairing commands that the audit names", async () => {
  const page = await readFile(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const commands = invariants.flatMap(({ repair }) => (repair === undefined ? [] : [repair]));
  expect(commands.filter((command) => !page.includes(`\`${command}\``))).toEqual([]);
});
