import { readFileSync } from "node:fs";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { DiagramError, ExpensiveDiagramError } from "./diagram-error.ts";
import type { DiagramRequest } from "./diagram-request.ts";
import { assertSize } from "./graph.ts";
import type { LayoutResult, OrderedLayout } from "./layout-thread.ts";

/** Time to start the thread and to load Graphviz on a busy machine, in milliseconds. */
const startMs = 10_000;

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
   *   much time or memory or crashes.
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
 * @param maxHeapMb memory of the thread besides that of Graphviz. Default 256.
 */
export function createDiagrams({ deadlineMs = 3_000, maxHeapMb = 256 } = {}): Diagrams {
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
    const end = () => deadline.abort();
    let timer = setTimeout(end, startMs);
    const { port1: started, port2: port } = new MessageChannel();
    started.once("message", (threadId: number | null) => {
      clearTimeout(timer);
      timer = watchTime(threadId, deadlineMs, end);
    });
    threadError = null;
    try {
      const ordered = { ...request, started: port };
      return await pool.run(ordered, { signal: stop, transferList: [port] });
    } catch (error) {
      signal?.throwIfAborted();
      const cause = deadline.signal.aborted ? (threadError as Error | null) : (error as Error);
      if (cause === null) {
        throw new ExpensiveDiagramError(`The layout took more than ${deadlineMs / 1_000} seconds.`);
      }
      if ("code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
        throw new ExpensiveDiagramError("The layout needs too much memory.");
      }
      throw cause;
    } finally {
      clearTimeout(timer);
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

/**
 * Calls `onExceeded` once the thread has used the CPU time, or five times as much time has passed: the
 * thread yields to others, and a busy machine must not end a layout that is within its limit.
 */
function watchTime(threadId: number | null, limitMs: number, onExceeded: () => void) {
  const cpuBefore = cpuMsOf(threadId);
  const startedAt = performance.now();
  const timer = setInterval(
    () => {
      const passedMs = performance.now() - startedAt;
      const cpuMs = cpuMsOf(threadId);
      const usedMs = cpuMs === null || cpuBefore === null ? passedMs : cpuMs - cpuBefore;
      if (usedMs < limitMs && passedMs < 5 * limitMs) return;
      clearInterval(timer);
      onExceeded();
    },
    Math.min(limitMs, 100),
  );
  return timer;
}

/** CPU time of a thread of this process, in ticks of 10 ms: fields 14 and 15 of its `stat`. */
function cpuMsOf(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
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
