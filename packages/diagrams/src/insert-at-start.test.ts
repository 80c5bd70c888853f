import { cpuGrowth } from "@atelier/kit/cpu-growth";
import { expect, it } from "vitest";
import { insertAtStart } from "./insert-at-start.ts";

it.each([
  ["digraph { a }", "digraph {\nX\n a }"],
  ["/* { */ // {\n# {\nstrict graph G { a }", "/* { */ // {\n# {\nstrict graph G {\nX\n a }"],
  ['graph "a\\"{" /**/ { a -- b }', 'graph "a\\"{" /**/ {\nX\n a -- b }'],
  ["graph /* ** / { */ { a }", "graph /* ** / { */ {\nX\n a }"],
  ["/**/strict //\ngraph { a }", "/**/strict //\ngraph {\nX\n a }"],
  ["/* a *//* b */ digraph { x }", "/* a *//* b */ digraph {\nX\n x }"],
  ["no graph", "no graph"],
  ["/* {", "/* {"],
  ['"{', '"{'],
])("inserts attributes after the first brace of %j", (dot, result) => {
  expect(insertAtStart(dot, "X")).toBe(result);
});

it.each(["/**/", "/*", "//", "#\n", '"', '\\"', "*", " ", "strict "])(
  "passes repeated %j in linear time",
  (part) => {
    const insert = (length: number) =>
      insertAtStart(`${part.repeat(length / part.length)}strict graph`, "X");
    expect(cpuGrowth(insert, 20_000)).toBeLessThan(20);
  },
);
