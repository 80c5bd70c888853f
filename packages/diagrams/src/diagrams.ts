import { MessageChannel } from "node:worker_threads";
import { startLimitMs, starved, watchCpuTime } from "@atelier/kit/limited-process";
import { Piscina } from "piscina";
import { DiagramError, ExpensiveDiagramError } from "./diagram-error.ts";
import type { DiagramRequest } from "./diagram-request.ts";
import { assertSize } from "./graph.ts";
import type { LayoutResult, OrderedLayout } from "./layout-thread.ts";

interface DrawOptions {
  readonly signal?: AbortSignal;
  /** Whose diagram it is. A second one of the same owner waits outside of the thread's queue. */
  readonly owner?: string;
}

/** Reads and draws diagrams in a thread of their own. */
export interface Diagrams {
  /**
   * @returns a sanitised SVG; the same request gives the same text.
   * @throws DiagramError for wrong syntax, a diagram that is too large, and one whose layout takes too
   *   much CPU time or memory or crashes.
   * @throws LimitError when the machine is too busy.
   */
  draw(request: DiagramRequest, options?: DrawOptions): Promise<string>;
  close(): Promise<void>;
}

/**
 * Creates the thread that runs Graphviz; it does not keep the process alive. One diagram is laid out
 * at a time, others wait, at most one of each owner in the queue: an owner with many diagrams delays
 * another one by one diagram.
 *
 * @param deadlineMs CPU time after which a layout is terminated, from when the thread accepts it: time
 *   in the queue and the start of the thread do not count. Default 3,000.
 * @param wallMs wall time of the same. Default ten times the CPU time.
 * @param startMs wall time of the start of the thread. Default 60,000.
 * @param maxHeapMb memory of the thread besides that of Graphviz. Default 256.
 */
export function createDiagrams({
  deadlineMs = 3_000,
  wallMs = undefined as number | undefined,
  startMs = startLimitMs,
  maxHeapMb = 256,
} = {}): Diagrams {
  const pool = new Piscina<OrderedLayout, LayoutResult>({
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
  const thread = createTurns();
  const owners = createTurns();

  async function layOut(request: DiagramRequest, signal?: AbortSignal): Promise<LayoutResult> {
    const deadline = new AbortController();
    const stop =
      signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
    const end = (error: Error) => deadline.abort(error);
    const starting = setTimeout(() => end(starved("layout")), startMs);
    let stopWatching = () => clearTimeout(starting);
    const { port1: started, port2: port } = new MessageChannel();
    started.once("message", (threadId: number | null) => {
      clearTimeout(starting);
      const stat = threadId === null ? null : `/proc/self/task/${threadId}/stat`;
      stopWatching = watchCpuTime(stat, { cpuMs: deadlineMs, wallMs }, (reason) =>
        end(
          reason === "busy"
            ? starved("layout")
            : new ExpensiveDiagramError(`The layout took more than ${deadlineMs / 1_000} seconds.`),
        ),
      );
    });
    threadError = null;
    try {
      const ordered = { ...request, started: port };
      return await pool.run(ordered, { signal: stop, transferList: [port] });
    } catch (error) {
      signal?.throwIfAborted();
      const { aborted, reason } = deadline.signal;
      const cause: Error = aborted ? (threadError ?? reason) : error;
      if ("code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
        throw new ExpensiveDiagramError("The layout needs too much memory.");
      }
      throw cause;
    } finally {
      stopWatching();
      started.close();
    }
  }

  return {
    async draw(request, { signal, owner } = {}) {
      const draw = () =>
        thread.take("thread", async () => {
          signal?.throwIfAborted();
          return readResult(await layOut(request, signal), request);
        });
      return owner === undefined ? draw() : owners.take(owner, draw);
    },
    close: () => pool.destroy(),
  };
}

/** Runs the tasks of each name one after another. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return {
    take<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
      const result = (last.get(name) ?? Promise.resolve()).then(task);
      const end: Promise<void> = result.then(forget, forget);
      last.set(name, end);
      return result;

      function forget(): void {
        if (last.get(name) === end) last.delete(name);
      }
    },
  };
}

function readResult(result: LayoutResult, { source, language }: DiagramRequest): string {
  if ("problem" in result) throw explainProblem(result.problem, source, language);
  if ("refusal" in result) throw new DiagramError(result.refusal.message, result.refusal);
  if ("nodes" in result) {
    assertSize(result.nodes, result.edges);
    throw new DiagramError("The diagram is too large.");
  }
  return result.svg;
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
  // Graphviz names a token of the client's own source, or the start of the line.
  const where = near === "" ? "" : ` at "${near.slice(0, 40)}"`;
  return new DiagramError(`The diagram has a syntax error${where}.`, {
    line,
    column: Math.max(0, found) + 1,
  });
}
