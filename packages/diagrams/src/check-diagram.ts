import { DiagramError } from "./diagram-error.ts";
import type { DiagramRequest } from "./diagram-request.ts";
import { maxEdges, maxLabelLength, maxNodes, maxSourceLength, type Graph } from "./graph.ts";
import { parseMermaid } from "./parse-mermaid.ts";
import { parseWords } from "./parse-words.ts";

/**
 * Parses a diagram in words or Mermaid; null for DOT, which only Graphviz reads. Takes at most a few
 * milliseconds.
 *
 * @throws DiagramError for wrong syntax, with line and column, and for a diagram that is too large.
 */
export function checkDiagram({
  source,
  language,
}: Pick<DiagramRequest, "source" | "language">): Graph | null {
  if (source.length > maxSourceLength) {
    throw new DiagramError(`The source is longer than ${maxSourceLength} characters.`);
  }
  if (source.trim() === "") throw new DiagramError("The diagram is empty.");
  if (language === "dot") return null;
  // Long runs would make the patterns of the parsers slow.
  if (/\s{200}|([^\s])\1{199}/.test(source)) {
    throw new DiagramError("The source repeats a character more than 199 times.");
  }
  const graph = language === "mermaid" ? parseMermaid(source) : parseWords(source);
  assertSize(graph.nodes.length, graph.edges.length);
  const labels = [...graph.nodes, ...graph.edges, ...graph.groups].map(({ label }) => label);
  const long = labels.find(({ length }) => length > maxLabelLength);
  if (long !== undefined) {
    throw new DiagramError(
      `The label "${long.slice(0, 40)}…" is longer than ${maxLabelLength} characters.`,
    );
  }
  return graph;
}

/** @throws DiagramError for more nodes or edges than are drawn. */
export function assertSize(nodes: number, edges: number): void {
  if (nodes <= maxNodes && edges <= maxEdges) return;
  throw new DiagramError(
    `The diagram has ${nodes} nodes and ${edges} edges; at most ${maxNodes} and ${maxEdges} are drawn.`,
  );
}
