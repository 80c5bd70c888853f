import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

it("lets every field for text take its direction from what is typed", () => {
  const missing = globSync("**/*.tsx", { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}${file}`, "utf8").matchAll(/<textarea\b[^>]*/g)]
      .filter(([tag]) => !tag.includes('dir="auto"'))
      .map(() => file),
  );
  expect(missing).toEqual([]);
});
