import { cpuGrowth } from "@atelier/kit/cpu-growth";
import { expect, it } from "vitest";
import { checkDiagram } from "./check-diagram.ts";
import { DiagramError } from "./diagram-error.ts";
import { maxSourceLength } from "./graph.ts";
import { parseMermaid } from "./parse-mermaid.ts";
import { parseWords } from "./parse-words.ts";

it("reads lines that end with CRLF, with comments", () => {
  const source = [
    "graph LR %% a comment",
    "  %% another",
    '  A["5 %% off"] --> B[5 %% off]',
    "  B --> C",
  ].join("\r\n");
  expect(parseMermaid(source)).toMatchObject({
    nodes: [
      { id: "A", label: "5 %% off" },
      { id: "B", label: "5 %% off" },
      { id: "C", label: "C" },
    ],
    edges: [
      { from: "A", to: "B" },
      { from: "B", to: "C" },
    ],
    direction: "right",
  });
});

it.each([
  ["A -- one --> B", "one"],
  ['A -- "a | b" --> B', "a | b"],
  ["A --  = --> B", "="],
  ["A --   --> B", ""],
  ["A -- x -.- y --> B", "x -.- y"],
])("reads the label of %s", (statement, label) => {
  expect(parseMermaid(`graph LR\n${statement}`).edges).toMatchObject([{ label }]);
});

it.each([
  ["subgraph one [Title]", "Title"],
  ['subgraph one [ "A title" ]', "A title"],
  ["subgraph one []", "one"],
  ['subgraph one ["a" b]', "one [a b]"],
  ["subgraph one two", "one two"],
])("reads the name of %s", (statement, label) => {
  expect(parseMermaid(`graph LR\nA\n${statement}\nend`).groups).toMatchObject([{ label }]);
});

/** Starts and repeated parts of texts whose time would grow faster than their length. */
const starts = ["", "graph LR\n", "graph LR\nA -- x", "graph LR\nsubgraph x [", "graph LR\nA"];
const parts = [
  `${"%".repeat(198)}a`,
  " ",
  "-",
  "a ",
  "-- ",
  " -- B--",
  "A-- x ",
  " A -- x--",
  ".!",
  "\t ",
  "and ",
  " , ",
  " & ",
  "a&",
  "→",
  "-=",
  "[",
  "(",
  '"',
  '"a;',
  "%%",
  "-.",
  "\nA-->B",
  "\nsubgraph x",
  "\r\n%%",
  "a calls ",
  "two a, ",
];
const cases = starts.flatMap((start) => parts.map((part) => [start, part] as const));

it.each(cases)("reads %j and repeated %j in linear time", (start, part) => {
  for (const parse of [parseMermaid, parseWords]) {
    const read = (length: number) =>
      readOrRefuse(() => parse(`${start}${part.repeat(length / part.length)}\u2028`));
    expect(cpuGrowth(read, 8_000)).toBeLessThan(20);
  }
});

it("refuses lists whose edges would need gigabytes", () => {
  const list = (separator: string) => Array.from({ length: 4_900 }, () => "a").join(separator);
  const mermaid = `graph LR\n${list("&")} --> ${list("&")}`;
  expect(mermaid.length).toBeLessThan(maxSourceLength);
  for (const [language, source] of [
    ["mermaid", mermaid],
    ["text", `${list(",")} → ${list(",")}`],
  ] as const) {
    const before = process.threadCpuUsage();
    expect(() => checkDiagram({ source, language })).toThrow("at most 200 and 400");
    const { user, system } = process.threadCpuUsage(before);
    expect(user + system).toBeLessThan(500_000);
  }
});

function readOrRefuse(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof DiagramError)) throw error;
  }
}
