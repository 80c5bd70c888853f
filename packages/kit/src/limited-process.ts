import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LimitedMessage } from "./serve-requests.ts";

export { serveRequests } from "./serve-requests.ts";

/** Why a request to a limited process failed. */
export type LimitReason = "time" | "memory" | "died" | "closed";

/** The process exceeded a limit or ended, and the request has no answer. */
export class LimitError extends Error {
  override readonly name = "LimitError";
  readonly reason: LimitReason;

  constructor(reason: LimitReason) {
    super(messages[reason]);
    this.reason = reason;
  }
}

const messages: Record<LimitReason, string> = {
  time: "the process took too long",
  memory: "the process took too much memory",
  died: "the process died",
  closed: "the process is closed",
};

/** An answer and the resources that it took. */
export interface Measured<Answer> {
  readonly answer: Answer;
  readonly cpuMs: number;
  /** Peak resident memory of the process, in bytes. */
  readonly peakBytes: number;
}

/**
 * Runs requests one after another in a separate process, which is killed when a request exceeds its
 * time or memory limit. For native code that reads untrusted data: its own timeouts do not stop all
 * of its work, and heap limits do not cover its memory.
 */
export interface LimitedProcess<Request, Answer> {
  /** @throws LimitError when the process was killed, ended, or is closed. */
  run(request: Request): Promise<Measured<Answer>>;
  /** Stops the process and rejects the current and queued requests. */
  close(): void;
}

export interface LimitedProcessOptions {
  /** A module that calls `serveRequests`. */
  readonly module: URL;
  /** Limit of one request, in milliseconds; starting the process has 5 s more. */
  readonly timeoutMs: number;
  readonly maxResidentBytes: number;
}

/** Idle time after which the process is stopped to free its memory, in milliseconds. */
const idleMs = 30_000;
/** Maximum start time of the process on a busy machine, in milliseconds. */
const startMs = 5_000;

/** Prepares a process; it starts with the first request. */
export function createLimitedProcess<Request extends object, Answer>({
  module,
  timeoutMs,
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
      const refuse = (reason: LimitReason) => {
        settle();
        end();
        reject(new LimitError(reason));
      };
      const timer = setTimeout(() => refuse("time"), timeoutMs + startMs);
      const onExit = () => refuse(isClosed ? "closed" : "died");
      const onMessage = (message: LimitedMessage<Answer>) => {
        if (message.kind === "memory") {
          peakBytes = Math.max(peakBytes, message.residentBytes);
          if (peakBytes > maxResidentBytes) refuse("memory");
          return;
        }
        settle();
        resolve({ answer: message.answer, cpuMs: message.cpuMs, peakBytes });
      };
      function settle(): void {
        clearTimeout(timer);
        worker.off("message", onMessage).off("exit", onExit).off("error", onExit);
        // Sending to a process that was just killed fails, which can be ignored.
        worker.on("error", () => undefined);
        worker.unref();
        worker.channel?.unref();
      }
      worker.on("message", onMessage).once("exit", onExit).once("error", onExit);
      worker.send(request, (error) => {
        if (error !== null) onExit();
      });
    });
  }

  async function runNext(request: Request): Promise<Measured<Answer>> {
    if (isClosed) throw new LimitError("closed");
    clearTimeout(idle);
    try {
      return await runInChild(request);
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
