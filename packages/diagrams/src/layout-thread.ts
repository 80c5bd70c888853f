import { readlinkSync } from "node:fs";
import type { MessagePort } from "node:worker_threads";
import { Graphviz } from "@hpcc-js/wasm-graphviz";
import { lowerPriority } from "@atelier/kit/lower-priority";
// Only the part without native code, which crashes when the thread ends.
import { sanitizeSvg } from "@atelier/svg/sanitize";
import { checkDiagram } from "./check-diagram.ts";
import { DiagramError, problemOf, type DiagramProblem } from "./diagram-error.ts";
import type { DiagramRequest } from "./diagram-request.ts";
import { maxEdges, maxLabelLength, maxNodes, maxTextLength } from "./graph.ts";
import { insertAtStart } from "./insert-at-start.ts";
import { limitMemory } from "./limit-memory.ts";
import { outlineText } from "./outline-text.ts";
import { defaultAttributes, toDot } from "./to-dot.ts";

/** A layout whose start is reported, since loading Graphviz takes seconds on a busy machine. */
export interface OrderedLayout extends DiagramRequest {
  /** Receives the id of the thread in the system, or null. */
  readonly started: MessagePort;
}

/** The result of a layout: the SVG, the size of a graph that is too large, or what is wrong. */
export type LayoutResult =
  | { readonly svg: string }
  | { readonly nodes: number; readonly edges: number }
  /** Graphviz' message, which may quote the source. */
  | { readonly problem: string }
  | { readonly refusal: DiagramProblem };

/** Memory of Graphviz. The largest diagrams within the limits take some 40 MB. */
const maxMemoryMb = 128;

/** Length of Graphviz' SVG. The largest diagrams within the limits have some 400 kB. */
const maxSvgLength = 2_000_000;

const threadId = lowerThreadPriority();
let needsTooMuchMemory = false;
limitMemory(maxMemoryMb, () => {
  needsTooMuchMemory = true;
});
// Silences the warnings of Graphviz, which quote the source.
Object.assign(console, { error: () => undefined });

/** Runs in a thread of its own: a layout blocks it, and only its termination ends one. */
export default async function layout({
  started,
  ...request
}: OrderedLayout): Promise<LayoutResult> {
  const graphviz = await Graphviz.load();
  started.postMessage(threadId, []);
  needsTooMuchMemory = false;
  try {
    const graph = checkDiagram(request);
    const { source, direction, palette } = request;
    const dot = graph === null ? source : toDot(graph, direction, palette);
    // The engine `nop` parses without a layout.
    const edges = countEdges(graphviz.layout(dot, "canon", "nop"));
    const sized = graphviz.layout(dot, "dot", "nop");
    // Every node has a width, which is on a line of its own or after the bracket.
    const nodes = sized
      .split("\n")
      .filter((line) => /^(?:\s*|[^[]*\[[^]*)width=/.test(line)).length;
    if (nodes > maxNodes || edges > maxEdges) return { nodes, edges };
    const styled = graph === null ? insertAtStart(dot, defaultsOf(request)) : dot;
    return finish(graphviz.layout(styled, "svg", "dot"));
  } catch (error) {
    if (error instanceof DiagramError) return { refusal: problemOf(error) };
    if (needsTooMuchMemory) return refuse("The layout needs too much memory.");
    return { problem: (error as Error).message };
  } finally {
    // A crash leaves the instance unusable, and its memory never shrinks.
    Graphviz.unload();
  }
}

/**
 * Lowers the priority of this thread, so that the threads that make images run first.
 *
 * @returns its id in the system; null where threads have no priority of their own.
 */
function lowerThreadPriority(): number | null {
  try {
    const [, id] = /\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self")) ?? [];
    if (id === undefined) return null;
    lowerPriority(Number(id));
    return Number(id);
  } catch {
    return null;
  }
}

/** Counts the edges of a graph in Graphviz' canonical form, which has one edge per line. */
function countEdges(canonical: string): number {
  return canonical.match(/(?<![^\n])(?:"(?:[^"\\]|\\[^])*"|[^"[\n])*?(?:->|--)/g)?.length ?? 0;
}

function finish(drawing: string): LayoutResult {
  if (drawing.trim() === "") return refuse("The diagram is empty.");
  if (drawing.length > maxSvgLength) return refuse("The diagram is too large.");
  const svg = sanitizeSvg(drawing);
  const texts = Array.from(svg.matchAll(/<text[^<>]*>([^<]*)/g), ([, text = ""]) => text.length);
  if (texts.some((length) => length > maxLabelLength)) {
    return refuse(`A line of a label is longer than ${maxLabelLength} characters.`);
  }
  if (texts.reduce((sum, length) => sum + length, 0) > maxTextLength) {
    return refuse(`The labels have more than ${maxTextLength} characters.`);
  }
  return { svg: outlineText(svg) };
}

function refuse(message: string): LayoutResult {
  return { refusal: { message, line: null, column: null } };
}

/** The default look of a diagram in DOT. */
function defaultsOf({ direction, palette }: DiagramRequest): string {
  const rankDirection =
    direction === null ? "" : `rankdir=${direction === "right" ? "LR" : "TB"}\n`;
  return `${rankDirection}${defaultAttributes(palette)}\nnode [shape=box style="filled,rounded"]`;
}
