/** A request for a diagram that costs much to read or to lay out. */
interface HostileDiagram {
  readonly body: object;
  /** Whether it is within all limits of the source; the layout may still take too long. */
  readonly isWithinLimits: boolean;
}

const model = "builtin-diagram";
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Sources with nesting, many nodes, many edges and long labels, in every language, by name. */
export function hostileDiagrams(): Readonly<Record<string, HostileDiagram>> {
  const dot = (source: string) => ({ model, language: "dot", source });
  const mermaid = (source: string) => ({ model, language: "mermaid", source });
  const dense = numbers(400).map((edge) => [edge % 60, (edge * 37 + 11) % 60]);
  return {
    nestedDot: {
      body: dot(`digraph {${"subgraph cluster_a {".repeat(900)} a ${"}".repeat(900)}}`),
      isWithinLimits: true,
    },
    nestedMermaid: {
      body: mermaid(`flowchart LR\n${"subgraph a\n".repeat(900)}b --> c\n${"end\n".repeat(900)}`),
      isWithinLimits: true,
    },
    denseDot: {
      body: dot(`digraph {${dense.map(([from, to]) => `n${from} -> n${to};`).join("")}}`),
      isWithinLimits: true,
    },
    denseMermaid: {
      body: mermaid(`flowchart LR\n${dense.map(([from, to]) => `n${from} --> n${to}`).join("\n")}`),
      isWithinLimits: true,
    },
    recordDot: {
      body: dot(
        `digraph { a [shape=record, label="${"{a|".repeat(1_500)}b${"}".repeat(1_500)}"] }`,
      ),
      isWithinLimits: true,
    },
    product: {
      body: dot(`digraph {{${numbers(1_500).join(" ")}} -> {${numbers(1_500).join(" ")}}}`),
      isWithinLimits: true,
    },
    longLabel: {
      body: dot(`digraph { a [label="${"x".repeat(19_000)}"] }`),
      isWithinLimits: true,
    },
    longWords: {
      body: { model, prompt: numbers(4_000).join(" → ") },
      isWithinLimits: false,
    },
    branchingWords: {
      body: { model, language: "text", source: "a, b, c, d → ".repeat(1_400) },
      isWithinLimits: true,
    },
    manyNodes: {
      body: dot(`digraph {${numbers(120_000).join(";")}}`),
      isWithinLimits: false,
    },
    manyEdgesMermaid: {
      body: mermaid(`flowchart LR\n${"a --> b\n".repeat(90_000)}`),
      isWithinLimits: false,
    },
  };
}

/** A complete graph with curved edges: 3 kB of DOT whose layout takes 6 s of CPU time and is refused. */
export function slowDiagram(): string {
  const nodes = numbers(28);
  const edges = nodes.flatMap((from) =>
    nodes.flatMap((to) => (from < to ? [`${from}--${to}`] : [])),
  );
  return `graph{splines=curved ${edges.join(" ")}}`;
}

/** DOT sources that crash the layout, take longer than its deadline, or need too much memory. */
export function brokenDiagrams(): readonly string[] {
  return [
    `digraph {${"{".repeat(9_000)}a${"}".repeat(9_000)}}`,
    "graph { layout=fdp; maxiter=2000000000; a -- b -- c }",
    "digraph { a -> b [minlen=100000] }",
    "graph { a [shape=polygon sides=20000000] }",
  ];
}
