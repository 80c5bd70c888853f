import { Piscina } from "piscina";
import { assertSize, checkDiagram } from "./check-diagram.ts";
import { DiagramError } from "./diagram-error.ts";
import type { LayoutAnswer, LayoutTask } from "./layout-thread.ts";
import { defaultAttributes, toDot } from "./to-dot.ts";

export interface DiagramRequest {
  readonly source: string;
  readonly language: "text" | "dot" | "mermaid";
  /** Null keeps the direction of the source; default: right, and down for DOT. */
  readonly direction: "right" | "down" | null;
  /** Colours such as `#1f6feb`: lines first, then the fills of nodes in turn. */
  readonly palette: readonly string[];
}

/** Draws diagrams in a thread of their own. */
export interface Diagrams {
  /**
   * @returns a sanitised SVG; the same request gives the same text.
   * @throws DiagramError for wrong syntax, a diagram that is too large, and one whose layout takes too
   *   much time or memory or crashes.
   */
  draw(request: DiagramRequest, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/**
 * Creates the thread that runs Graphviz; it does not keep the process alive. One diagram is laid out
 * at a time, others wait.
 *
 * @param deadlineMs after which a layout is terminated, from its start. Default 10,000.
 * @param maxHeapMb memory of the thread besides that of Graphviz. Default 256.
 */
export function createDiagrams({ deadlineMs = 10_000, maxHeapMb = 256 } = {}): Diagrams {
  const pool = new Piscina<LayoutTask, LayoutAnswer>({
    filename: new URL("layout-thread.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    // The layout blocks the thread; it ends with the thread.
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // Without a listener, a thread that fails while it starts would end the process.
  let threadError: Error | null = null;
  pool.on("error", (error: Error) => {
    threadError = error;
  });
  let last: Promise<unknown> = Promise.resolve();

  async function layOut(task: LayoutTask, signal?: AbortSignal): Promise<LayoutAnswer> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const stop = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    threadError = null;
    try {
      return await pool.run(task, { signal: stop });
    } catch (error) {
      signal?.throwIfAborted();
      const cause = deadline.aborted ? (threadError as Error | null) : (error as Error);
      if (cause === null) {
        throw new DiagramError(`The layout took more than ${deadlineMs / 1_000} seconds.`);
      }
      if ("code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
        throw new DiagramError("The layout needs too much memory.");
      }
      throw cause;
    }
  }

  return {
    async draw(request, signal) {
      const task = taskOf(request);
      // The deadline starts when the thread is free.
      const before = last;
      const finished = Promise.withResolvers<void>();
      last = finished.promise;
      try {
        await before;
        signal?.throwIfAborted();
        return readAnswer(await layOut(task, signal), request);
      } finally {
        finished.resolve();
      }
    },
    close: () => pool.destroy(),
  };
}

function taskOf(request: DiagramRequest): LayoutTask {
  const { source, direction, palette } = request;
  const graph = checkDiagram(request);
  if (graph !== null) return { dot: toDot(graph, direction, palette), defaults: null };
  const rankDirection =
    direction === null ? "" : `rankdir=${direction === "right" ? "LR" : "TB"}\n`;
  const style = 'node [shape=box style="filled,rounded"]';
  return { dot: source, defaults: `${rankDirection}${defaultAttributes(palette)}\n${style}` };
}

function readAnswer(answer: LayoutAnswer, { source, language }: DiagramRequest): string {
  if ("problem" in answer) throw explainProblem(answer.problem, source, language);
  if ("refusal" in answer) throw new DiagramError(answer.refusal);
  if ("nodes" in answer) {
    assertSize(answer.nodes, answer.edges);
    throw new DiagramError("The diagram is too large.");
  }
  return answer.svg;
}

/** Graphviz says "syntax error in line 3 near '=>'". */
function explainProblem(problem: string, source: string, language: string): DiagramError {
  const [, lineText, near = ""] =
    /syntax error in line (\d+)(?: near '([^']*)')?/.exec(problem) ?? [];
  if (language !== "dot" || lineText === undefined) {
    // Graphviz quotes the source, which may be a text of a client.
    return new DiagramError("Graphviz cannot draw the diagram. Check its attributes.");
  }
  const line = Number(lineText);
  const found = (source.split("\n")[line - 1] ?? "").indexOf(near);
  return new DiagramError("The diagram has a syntax error.", {
    line,
    column: Math.max(0, found) + 1,
  });
}
