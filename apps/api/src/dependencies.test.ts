import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** These hand the dependencies to all others. */
const root = ["app.ts", "dependencies.ts", "open-dependencies.ts", "v1.ts"];

it("are named by each function that needs some of them", () => {
  const cwd = import.meta.dirname;
  const files = globSync("**/*.ts", { cwd, exclude: ["**/*.test.ts", ...root] });
  const takesAll = /: ApiDependencies\b(?!\[)/;
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => takesAll.test(readFileSync(`${cwd}/${file}`, "utf8")))).toEqual([]);
});
