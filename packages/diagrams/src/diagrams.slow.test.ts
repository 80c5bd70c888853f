import { afterAll, describe, expect, it } from "vitest";
import { checkDiagram } from "./check-diagram.ts";
import { DiagramError, ExpensiveDiagramError } from "./diagram-error.ts";
import { createDiagrams } from "./diagrams.ts";
import type { DiagramRequest } from "./diagram-request.ts";

const diagrams = createDiagrams({ deadlineMs: 10_000, wallMs: 3_600_000 });
afterAll(() => diagrams.close());

const request = (change: Partial<DiagramRequest>): DiagramRequest => ({
  source: "user → API → queue; the queue feeds three workers",
  language: "text",
  direction: null,
  palette: [],
  ...change,
});

function graphOf(source: string, language: DiagramRequest["language"]) {
  const graph = checkDiagram({ source, language });
  if (graph === null) throw new Error("no graph");
  const labels = new Map(graph.nodes.map(({ id, label }) => [id, label]));
  return {
    labels: [...labels.values()],
    edges: graph.edges.map(
      ({ from, to, label }) =>
        `${labels.get(from)} > ${labels.get(to)}${label === "" ? "" : ` (${label})`}`,
    ),
    graph,
  };
}

describe("a diagram in words", () => {
  it("reads arrows, sentences, counts and the same thing in other words", () => {
    expect(graphOf("user → API -> queue; the queue feeds three workers.", "text")).toMatchObject({
      labels: ["user", "API", "queue", "worker 1", "worker 2", "worker 3"],
      edges: [
        "user > API",
        "API > queue",
        "queue > worker 1 (feeds)",
        "queue > worker 2 (feeds)",
        "queue > worker 3 (feeds)",
      ],
    });
  });

  it.each([
    [
      "a visitor opens the shop; the shop asks the database",
      ["visitor > shop (opens)", "shop > database (asks)"],
    ],
    [
      "a gateway receives from the API. The API deploys to the cluster",
      ["gateway > API (receives from)", "API > cluster (deploys to)"],
    ],
    ["the open orders feed the answer store", ["open orders > answer store (feed)"]],
    ["the requests queue feeds a checkout", ["requests queue > checkout (feeds)"]],
  ])("reads the verb of %j", (source, edges) => {
    expect(graphOf(source, "text").edges).toEqual(edges);
  });

  it("reads lists and several sentences", () => {
    expect(
      graphOf("The web app calls the API and the CDN.\nWorkers read from the database", "text")
        .edges,
    ).toEqual(["web app > API (calls)", "web app > CDN (calls)", "Workers > database (read from)"]);
  });

  it.each([
    ["the user is happy", 1, 1],
    ["a → b;\n  nothing here", 2, 3],
    ["a → ", 1, 1],
  ])("rejects %j with its position", (source, line, column) => {
    expect(problemOf(() => checkDiagram({ source, language: "text" }))).toMatchObject({
      line,
      column,
    });
  });
});

it.each([
  ["digraph { a -> b }", "dot"],
  ["strict graph pipeline {\n a -- b\n}", "dot"],
  ["graph TD\n A --> B", "mermaid"],
  ["flowchart LR; A --> B", "mermaid"],
])("names the language of %j, sent as a diagram in words", (source, language) => {
  expect(problemOf(() => checkDiagram({ source, language: "text" }))).toMatchObject({
    message: `The diagram is not in words. Send it as source with the language "${language}".`,
    line: null,
  });
});

describe("a Mermaid flowchart", () => {
  it("reads labels, shapes, arrows, chains and subgraphs", () => {
    const { edges, graph } = graphOf(
      [
        "flowchart TD",
        "  %% a comment",
        '  A["Web; app"] -->|calls| B(API) --> C[(Database)]',
        "  B -- reads --> D{Cached?} & E((Cache))",
        "  D -.-> F; F ==> A",
        "  subgraph one [Group one]",
        "    G --- H",
        "  end",
        '  click A "javascript:alert(1)"',
        "  classDef x fill:#fff",
        "  A:::x --> G",
      ].join("\n"),
      "mermaid",
    );
    expect(edges).toEqual([
      "Web; app > API (calls)",
      "API > Database",
      "API > Cached? (reads)",
      "API > Cache (reads)",
      "Cached? > F",
      "F > Web; app",
      "G > H",
      "Web; app > G",
    ]);
    expect(graph.direction).toBe("down");
    expect(graph.groups).toEqual([{ label: "Group one", nodes: ["G", "H"] }]);
    expect(graph.edges.map(({ line }) => line).slice(4, 6)).toEqual(["dashed", "bold"]);
    expect(graph.edges[6]?.hasArrow).toBe(false);
  });

  it.each([
    ["sequenceDiagram\nA->>B: hi", 1, 1],
    ["flowchart XX\nA-->B", 1, 11],
    ["flowchart LR\nA[open --> B", 2, 2],
    ["flowchart LR\n  A => B", 2, 5],
    ["flowchart LR\nA --> ", 2, 6],
    ["flowchart LR\nend", 2, 1],
    ["flowchart LR\nsubgraph x\nA", 3, 2],
  ])("rejects %j with its position", (source, line, column) => {
    expect(problemOf(() => checkDiagram({ source, language: "mermaid" }))).toMatchObject({
      line,
      column,
    });
  });
});

it("is parsed in linear time, whatever it contains", () => {
  const parts = [
    " ",
    "-",
    "a ",
    "-- ",
    "A-- x ",
    ".!",
    "\t ",
    "and ",
    "→",
    "[",
    '"',
    "& ",
    "%%",
    "-.",
  ];
  const before = process.threadCpuUsage();
  for (const part of parts) {
    for (const start of ["", "flowchart LR\nA -- x"]) {
      const source = start + part.repeat((20_000 - start.length) / part.length);
      for (const language of ["text", "mermaid"] as const) {
        try {
          checkDiagram({ source, language });
        } catch (error) {
          if (!(error instanceof DiagramError)) throw error;
        }
      }
    }
  }
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(3_000);
});

const cannot = "Graphviz cannot draw the diagram";
const tooMuchMemory = "The layout needs too much memory.";
const record = (label: string) => `digraph { a [shape=record label="${label}"] }`;
const cells = (cell: string, count: number) =>
  `graph { a [label=<<table><tr>${cell.repeat(count)}</tr></table>>] }`;

/** 100 nodes whose labels are 190 characters long. */
function repeatedName(): string {
  const nodes = Array.from({ length: 100 }, (_, index) => `n${index} [label="\\G"]`);
  return `graph ${"g".repeat(190)} {${nodes.join(";")}}`;
}

function bracketEdges(): string {
  const edges = Array.from({ length: 401 }, (_, index) => `"[${index % 60}" -> "[${index % 59}"`);
  return `digraph {${edges.join(";")}}`;
}

function denseEdges(attributes: string): string {
  const edges = Array.from(
    { length: 400 },
    (_, index) => `n${index % 60} -> n${(index * 37 + 11) % 60}`,
  );
  return `digraph {${attributes}; ${edges.join(";")}}`;
}

function nestedClusters(count: number): string {
  const starts = Array.from({ length: count }, (_, index) => `subgraph cluster_${index} {`);
  return `digraph {${starts.join("")} a ${"}".repeat(count)}}`;
}

describe("drawing", () => {
  it("is deterministic and needs no font", async () => {
    const first = await diagrams.draw(request({}));
    expect(await diagrams.draw(request({}))).toBe(first);
    expect(first).not.toContain("<text");
    expect(first).toContain("<title>worker 3</title>");
  });

  it.each([
    ["dot", "digraph { a -> b [label=calls] }"],
    ["mermaid", "graph LR\nA-->B"],
  ] as const)("draws %s", async (language, source) => {
    expect(await diagrams.draw(request({ language, source }))).toMatch(/^<svg [^]*<path /);
  });

  it("uses the palette and the direction", async () => {
    const palette = ["#102030", "#405060", "#708090"];
    const wide = await diagrams.draw(request({ palette, direction: "right" }));
    const tall = await diagrams.draw(request({ palette, direction: "down" }));
    for (const colour of palette) expect(wide).toContain(colour);
    const ratio = (svg: string) => {
      const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
      return Number(width) / Number(height);
    };
    expect(ratio(wide)).toBeGreaterThan(1);
    expect(ratio(tall)).toBeLessThan(ratio(wide));
  });

  it("removes links, images and scripts", async () => {
    const source =
      'digraph { a [URL="javascript:alert(1)" image="https://evil.example/x.png"]; b [label="</text><script>alert(1)</script>"]; a -> b [href="data:text/html,x"] }';
    const svg = await diagrams.draw(request({ language: "dot", source }));
    expect(svg).not.toMatch(/javascript|<script|<image|href|evil|data:/);
  });

  it.each([
    ["digraph {\n a -> b\n c => d\n}", 3, 5],
    ["digraph { a -> ; }", 1, 16],
    ["hello", 1, 1],
  ])("reports the position in DOT %j", async (source, line, column) => {
    const problem = await diagrams
      .draw(request({ language: "dot", source }))
      .catch((e: unknown) => e);
    expect(problem).toBeInstanceOf(DiagramError);
    expect(problem).toMatchObject({ line, column });
  });

  it("rejects diagrams that are too large, before their layout", async () => {
    const many = Array.from({ length: 201 }, (_, index) => `n${index} -> m`).join("; ");
    const dense =
      "digraph { {a b c d e f g h i j k l m n o p q r s t u} -> {1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21} }";
    await expect(diagrams.draw(request({ source: many }))).rejects.toThrow("at most 200 and 400");
    for (const source of [`digraph { ${many} }`, dense]) {
      await expect(diagrams.draw(request({ language: "dot", source }))).rejects.toThrow(
        "at most 200 and 400",
      );
    }
    const long = "a → b\n".repeat(4_000);
    await expect(diagrams.draw(request({ source: long }))).rejects.toThrow("longer than 20000");
  });

  it("ends a layout at its deadline and draws the next diagram", async () => {
    const withShortDeadline = createDiagrams({ deadlineMs: 300, wallMs: 3_600_000 });
    const slow = { ...request({}), source: slowSource, language: "dot" } as const;
    await expect(withShortDeadline.draw(slow)).rejects.toThrow("took more than 0.3 seconds");
    await withShortDeadline.close();
    expect(await diagrams.draw(request({}))).toContain("<svg");
  });

  it.each<[what: string, source: string, message: string]>([
    [
      "a record that exhausts the stack",
      record(`${"{".repeat(9_000)}b${"}".repeat(9_000)}`),
      cannot,
    ],
    [
      "braces that exhaust the stack",
      `digraph {${"{".repeat(9_000)}a${"}".repeat(9_000)}}`,
      cannot,
    ],
    ["a record of 9,000 fields", record("a|".repeat(9_000)), "too large"],
    ["an edge over 100,000 ranks", "digraph { a -> b [minlen=100000] }", tooMuchMemory],
    ["a table of 60,000 columns", cells('<td colspan="60000">x</td>', 500), tooMuchMemory],
    ["a polygon of 20,000,000 sides", "graph { a [shape=polygon sides=20000000] }", tooMuchMemory],
    ["a node of 2,147,483,647 outlines", "graph { a [peripheries=2147483647] }", cannot],
    [
      "a label of 19,000 characters",
      `graph { a [label="${"x".repeat(19_000)}"] }`,
      "longer than 200",
    ],
    ["labels that repeat a long name", repeatedName(), "more than 10000 characters"],
    ["edges between quoted brackets", bracketEdges(), "at most 200 and 400"],
    ["a drawing without a finite size", "digraph { dpi=0.000001; a -> b }", cannot],
    ["700 nested clusters", nestedClusters(700), cannot],
    ["an unknown engine", "digraph { layout=nonsense; a -> b }", cannot],
  ])("refuses %s and draws the next diagram", async (_, source, message) => {
    const problem = await diagrams
      .draw(request({ language: "dot", source }))
      .catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(DiagramError);
    expect((problem as DiagramError).message).toContain(message);
    expect(await diagrams.draw(request({}))).toContain("<svg");
  });

  it.each<[what: string, source: string]>([
    ["400 orthogonal edges", denseEdges("splines=ortho")],
    ["400 edges of one cluster rank", denseEdges("newrank=true; compound=true")],
    ["100 nested clusters", nestedClusters(100)],
    ["40 comments before its start", `${"/**/".repeat(40)}strict //\ndigraph { a -> b }`],
    ["a label of 190 brackets", `digraph { a [label="${"[".repeat(190)}"]; a -> b }`],
    ["sizes of 1,000,000,000", 'digraph { size="1000000000,1000000000!"; a -> b }'],
    ["a resolution of 1,000,000,000", "digraph { dpi=1000000000; a -> b }"],
    ["ranks 1,000,000,000 apart", "digraph { ranksep=1000000000; nodesep=1000000000; a -> b }"],
  ])("draws %s", async (_, source) => {
    expect(await diagrams.draw(request({ language: "dot", source }))).toContain("<svg");
  });

  it("does not blame a diagram for a busy machine, and draws the next", async () => {
    // Its wall time passes long before its CPU time, and before a thread has started.
    for (const limits of [{ wallMs: 1 }, { startMs: 1 }]) {
      const busy = createDiagrams({ deadlineMs: 3_600_000, ...limits });
      const slow = { ...request({}), source: slowSource, language: "dot" } as const;
      await expect(busy.draw(slow)).rejects.toMatchObject({ name: "LimitError", reason: "busy" });
      await busy.close();
    }
    expect(await diagrams.draw(request({}))).toContain("<svg");
  });

  it("refuses a layout that never ends, and one that exhausts the heap of its thread", async () => {
    const nodes = Array.from({ length: 100 }, (_, index) => `n${index} [width=100]`).join("; ");
    const endless = `graph { layout=neato; overlap=prism; overlap_scaling=1${"0".repeat(300)}; ${nodes} }`;
    const slow = createDiagrams({ deadlineMs: 1_000, wallMs: 3_600_000 });
    const small = createDiagrams({ deadlineMs: 5_000, wallMs: 3_600_000, maxHeapMb: 8 });
    const drawing = (source: string) => request({ language: "dot", source });
    await expect(slow.draw(drawing(endless))).rejects.toThrow(
      new DiagramError("The layout took more than 1 seconds."),
    );
    await expect(small.draw(drawing(denseEdges("")))).rejects.toThrow(
      new DiagramError(tooMuchMemory),
    );
    await Promise.all([slow.close(), small.close()]);
  }, 240_000);

  it("lets another owner pass the waiting diagrams of one", async () => {
    const ended: string[] = [];
    const draw = (owner: string) =>
      diagrams.draw(request({}), { owner }).then(() => ended.push(owner));
    await Promise.all([draw("first"), draw("first"), draw("first"), draw("second")]);
    expect(ended).toEqual(["first", "second", "first", "first"]);
  });

  it("does not count the time in the queue towards the deadline", async () => {
    const queue = createDiagrams({ deadlineMs: 3_000, wallMs: 3_600_000 });
    const slow = { ...request({}), source: slowSource, language: "dot" } as const;
    const results = await Promise.allSettled([
      queue.draw(slow, { owner: "first" }),
      queue.draw(request({}), { owner: "second" }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(results[0]).toMatchObject({ reason: expect.any(ExpensiveDiagramError) });
    await queue.close();
  });

  it("stops for an aborted caller", async () => {
    await expect(diagrams.draw(request({}), { signal: AbortSignal.abort() })).rejects.toThrow(
      "aborted",
    );
  });
});

function problemOf(run: () => unknown): DiagramError {
  try {
    run();
  } catch (error) {
    if (error instanceof DiagramError) return error;
    throw error;
  }
  throw new Error("no DiagramError");
}

const nodes = Array.from({ length: 28 }, (_, index) => index);
/** Its layout takes more than 10 s. */
const slowSource = `graph{splines=curved ${nodes.flatMap((from) => nodes.flatMap((to) => (from < to ? [`${from}--${to}`] : []))).join(" ")}}`;
