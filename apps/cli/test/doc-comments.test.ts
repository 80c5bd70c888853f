import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const sources = globSync("{apps,packages,harness}/**/*.{ts,tsx,js,mjs,css}", {
  cwd: root,
  exclude: (name) => name === "node_modules" || name === "generated" || name === "dist",
});

/** Doc comments that begin with a question word instead of a name or a verb. */
const questionOpening = /\/\*\*[\s*]*(?:What|Whoever)\b[^\n]*/g;

it("begins doc comments with a name or a verb instead of a question word", () => {
  const found = sources.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(questionOpening)].map(
      ([comment]) => `${path}: ${comment}`,
    ),
  );
  expect(found).toEqual([]);
});
