import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { LimitError, startLimitMs, starved, watchCpuTime, type LimitedWork } from "./cpu-limit.ts";
import type { LimitedMessage } from "./serve-requests.ts";

export * from "./cpu-limit.ts";
export { serveRequests } from "./serve-requests.ts";

/** An answer and the resources that it took. */
export interface Measured<Answer> {
  readonly answer: Answer;
  readonly cpuMs: number;
  /** Peak resident memory of the process, in bytes. */
  readonly peakBytes: number;
}

/**
 * Runs requests one after another in a separate process, which is killed when a request exceeds its
 * limit of CPU time or memory. For native code that reads untrusted data: its own timeouts do not stop all
 * of its work, and heap limits do not cover its memory. A request that takes too much memory in a process that
 * earlier requests used is run once more, in a new one.
 */
export interface LimitedProcess<Request, Answer> {
  /** @throws LimitError when the process was killed, ended, or is closed; it says who caused it. */
  run(request: Request): Promise<Measured<Answer>>;
  /** Stops the process and rejects the current and queued requests. */
  close(): void;
}

export interface ProcessLimits {
  /** CPU time of one request, in milliseconds; the start of the process does not count. */
  readonly cpuMs: number;
  /** Wall time of one request, in milliseconds. Default ten times the CPU time. */
  readonly wallMs?: number;
  /** Wall time of the start of the process, in milliseconds. Default 60,000. */
  readonly startMs?: number;
  readonly maxResidentBytes: number;
}

export interface LimitedProcessOptions extends ProcessLimits {
  /** Names the process in metrics. */
  readonly work: LimitedWork;
  /** A module that calls `serveRequests`. */
  readonly module: URL;
}

/** Idle time after which the process is stopped to free its memory, in milliseconds. */
const idleMs = 30_000;
/** Signals of a process that its own code ended, such as a decoder that read a damaged file. */
const crashSignals: readonly (NodeJS.Signals | null)[] = [
  "SIGSEGV",
  "SIGABRT",
  "SIGBUS",
  "SIGILL",
  "SIGFPE",
  "SIGTRAP",
];

/** Prepares a process; it starts with the first request. */
export function createLimitedProcess<Request extends object, Answer>({
  work,
  module,
  cpuMs,
  wallMs,
  startMs = startLimitMs,
  maxResidentBytes,
}: LimitedProcessOptions): LimitedProcess<Request, Answer> {
  let child: ChildProcess | undefined;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const started = fork(fileURLToPath(module), [], {
      // Pass no environment variables of ours, so that an exploit finds no keys.
      env: cacheOnly(),
      execArgv: ["--disable-warning=ExperimentalWarning"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    // The idle process does not keep this process alive.
    started.unref();
    started.channel?.unref();
    // Sending to a process that was just killed fails, which can be ignored.
    started.on("error", () => undefined);
    // A process that died while idle, as by the kernel's out-of-memory killer, is replaced.
    started.once("exit", () => {
      if (child === started) child = undefined;
    });
    return started;
  }

  function end(): void {
    child?.kill("SIGKILL");
    child = undefined;
  }

  function runInChild(request: Request): Promise<Measured<Answer>> {
    child ??= start();
    const worker = child;
    worker.ref();
    worker.channel?.ref();
    let peakBytes = 0;
    return new Promise<Measured<Answer>>((resolve, reject) => {
      const refuse = (error: LimitError) => {
        settle();
        end();
        reject(error);
      };
      const starting = setTimeout(() => refuse(starved(work)), startMs);
      let stopWatching = () => clearTimeout(starting);
      let hasStarted = false;
      const onError = () => refuse(new LimitError(isClosed ? "closed" : "died"));
      const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
        if (hasStarted && (code || crashSignals.includes(signal)))
          refuse(new LimitError("crashed"));
        else onError();
      };
      const onMessage = (message: LimitedMessage<Answer>) => {
        if (message.kind === "started") {
          hasStarted = true;
          clearTimeout(starting);
          stopWatching = watchCpuTime(`/proc/${worker.pid}/stat`, { cpuMs, wallMs }, (reason) =>
            refuse(reason === "busy" ? starved(work) : new LimitError(reason)),
          );
          return;
        }
        if (message.kind === "memory") {
          peakBytes = Math.max(peakBytes, message.residentBytes);
          if (peakBytes > maxResidentBytes) refuse(new LimitError("memory"));
          return;
        }
        // A busy parent may not have looked in time: the limit does not depend on it.
        if (message.cpuMs >= cpuMs) return refuse(new LimitError("cpu"));
        settle();
        resolve({ answer: message.answer, cpuMs: message.cpuMs, peakBytes });
      };
      function settle(): void {
        stopWatching();
        worker.off("message", onMessage).off("exit", onExit).off("error", onError);
        worker.unref();
        worker.channel?.unref();
      }
      worker.on("message", onMessage).once("exit", onExit).once("error", onError);
      worker.send(request, (error) => {
        if (error !== null) onError();
      });
    });
  }

  async function runNext(request: Request): Promise<Measured<Answer>> {
    if (isClosed) throw new LimitError("closed");
    clearTimeout(idle);
    const isUsed = child !== undefined;
    try {
      return await runInChild(request).catch((error: unknown) => {
        const isTooLarge = error instanceof LimitError && error.reason === "memory";
        // Earlier requests left memory in the process, which is not the fault of this one.
        if (isUsed && isTooLarge) return runInChild(request);
        throw error;
      });
    } finally {
      idle = setTimeout(end, idleMs);
      idle.unref();
    }
  }

  return {
    run(request) {
      const answered = last.then(() => runNext(request));
      last = answered.catch(() => undefined);
      return answered;
    },
    close() {
      isClosed = true;
      clearTimeout(idle);
      end();
    },
  };
}

/** The compile cache halves the start time of the process. */
function cacheOnly(): Record<string, string> {
  const { NODE_COMPILE_CACHE: cache } = process.env;
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };
}
