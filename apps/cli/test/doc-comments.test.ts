import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const sources = globSync("{apps,packages,harness}/**/*.{ts,tsx,js,mjs,css}", {
  cwd: root,
  exclude: (name) => name === "node_modules" || name === "generated" || name === "dist",
});

/** The first words of doc comments that read as a riddle: "What a text says when it is turned". */
const riddle = /\/\*\*[\s*]*(?:What|Whoever)\b[^\n]*/g;

it("finds no doc comment that begins with What or Whoever instead of naming the thing", () => {
  const riddles = sources.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(riddle)].map(
      ([comment]) => `${path}: ${comment}`,
    ),
  );
  expect(riddles).toEqual([]);
});
