import { expect, it } from "vitest";
import { insertAtStart } from "./insert-at-start.ts";

it.each([
  ["digraph { a }", "digraph {\nX\n a }"],
  ["/* { */ // {\n# {\nstrict graph G { a }", "/* { */ // {\n# {\nstrict graph G {\nX\n a }"],
  ['graph "a\\"{" /**/ { a -- b }', 'graph "a\\"{" /**/ {\nX\n a -- b }'],
  ["graph /* ** / { */ { a }", "graph /* ** / { */ {\nX\n a }"],
  ["/**/strict //\ngraph { a }", "/**/strict //\ngraph {\nX\n a }"],
  ["no graph", "no graph"],
  ["/* {", "/* {"],
  ['"{', '"{'],
])("inserts attributes after the first brace of %j", (dot, result) => {
  expect(insertAtStart(dot, "X")).toBe(result);
});

it.each(["/**/", "/*", "//", "#\n", '"', '\\"', "*", " ", "strict "])(
  "passes repeated %j in linear time",
  (part) => {
    const cpuMsOf = (length: number) => {
      const before = process.threadCpuUsage();
      insertAtStart(`${part.repeat(length / part.length)}strict graph`, "X");
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    const [short, long] = [20_000, 160_000].map(cpuMsOf);
    // 8 times as long takes 8 times as long, and 64 times if it is quadratic.
    expect(long).toBeLessThan(20 * Math.max(short ?? 0, 2));
  },
);
