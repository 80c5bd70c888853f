import { DiagramError, problemOf, type DiagramProblem } from "./diagram-error.ts";
import type { DiagramRequest } from "./diagram-request.ts";
import { assertSize, maxLabelLength, maxSourceLength, type Graph } from "./graph.ts";
import { parseMermaid } from "./parse-mermaid.ts";
import { parseWords } from "./parse-words.ts";

/**
 * Parses a diagram in words or Mermaid; null for DOT, which only Graphviz reads. Takes linear time: up
 * to tens of milliseconds, which is too long for an event loop.
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

/** Checks a diagram as `checkDiagram` does, and returns its problem as a plain object, or null. */
export function findProblem(
  diagram: Pick<DiagramRequest, "source" | "language">,
): DiagramProblem | null {
  try {
    checkDiagram(diagram);
    return null;
  } catch (error) {
    return problemOf(error);
  }
}
