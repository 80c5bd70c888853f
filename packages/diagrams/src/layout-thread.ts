import { Graphviz } from "@hpcc-js/wasm-graphviz";

export interface LayoutTask {
  readonly dot: string;
  /** Attributes to insert at the start of the graph. */
  readonly defaults: string | null;
}

/** The result of a layout: the SVG, the size of a graph that is too large, or Graphviz' message. */
export type LayoutAnswer =
  | { readonly svg: string }
  | { readonly nodes: number; readonly edges: number }
  | { readonly problem: string };

/** Runs in a thread of its own: a layout blocks it, and only its termination ends one. */
export default async function layout(
  task: LayoutTask & { readonly maxNodes: number; readonly maxEdges: number },
): Promise<LayoutAnswer> {
  const graphviz = await Graphviz.load();
  try {
    // Parses without a layout; every node has a width.
    const canonical = graphviz.layout(task.dot, "canon", "nop");
    const edges = canonical.match(/^\s*[^[\n]*(?:->|--)[^\n]*/gm)?.length ?? 0;
    const sized = graphviz.layout(task.dot, "dot", "nop");
    const nodes = sized.match(/^\s*(?:width=|.*\[.*width=)/gm)?.length ?? 0;
    if (nodes > task.maxNodes || edges > task.maxEdges) return { nodes, edges };
    const dot = task.defaults === null ? task.dot : insertDefaults(task.dot, task.defaults);
    return { svg: graphviz.layout(dot, "svg", "dot") };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Inserts attributes after the first brace, so that those of the source override them. */
function insertDefaults(dot: string, defaults: string): string {
  // Comments before the graph may contain braces.
  const start =
    /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n|#[^\n]*\n)*(?:strict\s+)?(?:di)?graph\b[^{]*\{/i.exec(
      dot,
    );
  if (start === null) return dot;
  return `${start[0]}\n${defaults}\n${dot.slice(start[0].length)}`;
}
