import { DiagramError } from "./diagram-error.ts";

/** The shape of a node. */
export type Shape = "box" | "round" | "circle" | "diamond" | "cylinder" | "hexagon";

export interface Node {
  readonly id: string;
  readonly label: string;
  readonly shape: Shape;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly line: "solid" | "dashed" | "bold";
  readonly hasArrow: boolean;
}

/** Nodes drawn together in a frame. */
interface Group {
  readonly label: string;
  readonly nodes: readonly string[];
}

/** A diagram, whatever language described it. */
export interface Graph {
  /** The direction that the source asks for; null if it asks for none. */
  readonly direction: "right" | "down" | "left" | "up" | null;
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  readonly groups: readonly Group[];
}

/** Limits of a diagram: beyond them, no layout is readable, and the time grows quickly. */
export const maxNodes = 200;
export const maxEdges = 400;
export const maxSourceLength = 20_000;
export const maxLabelLength = 200;
/** Characters of all labels of a drawing. */
export const maxTextLength = 10_000;

/**
 * Called before edges are stored, since lists connect each of their nodes with each other.
 *
 * @throws DiagramError for more nodes or edges than are drawn.
 */
export function assertSize(nodes: number, edges: number): void {
  if (nodes <= maxNodes && edges <= maxEdges) return;
  throw new DiagramError(
    `The diagram has at least ${nodes} nodes and ${edges} edges; at most ${maxNodes} and ${maxEdges} are drawn.`,
  );
}
