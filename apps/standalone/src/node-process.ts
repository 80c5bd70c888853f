import { fork, type ChildProcess } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import type { Running } from "./supervise.ts";

export interface NodeProcessOptions {
  readonly name: string;
  /** Absolute path of what it runs; it sends `{ type: "ready" }` once it serves. */
  readonly script: string;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its output is appended here. */
  readonly logFile: string;
  readonly readyTimeoutMs?: number;
  /** From SIGTERM to SIGKILL. */
  readonly stopTimeoutMs?: number;
}

const linesShown = 20;

/**
 * Starts a program of ours as a process of its own and waits until it serves.
 *
 * @throws Error with the end of its log when it ends before that, or takes too long.
 */
export async function startNodeProcess(
  options: NodeProcessOptions,
  signal: AbortSignal,
): Promise<Running> {
  signal.throwIfAborted();
  const { name, readyTimeoutMs = 30_000, stopTimeoutMs = 8_000 } = options;
  const log = await open(options.logFile, "a", 0o600);
  const { size: logStart } = await log.stat();
  const child = fork(options.script, [], {
    env: { ...options.environment },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", log.fd, log.fd, "ipc"],
    // A group of its own: Ctrl-C in a terminal goes to us alone, and we decide who stops when.
    // Should we be killed, the channel closes, and it ends by itself.
    detached: true,
  });
  await log.close();

  const ended = hasEnded(child).then(async (how) => withLog(how, options.logFile, logStart));
  const outcome = await readiness(child, readyTimeoutMs, signal);
  if (outcome !== "ready") {
    child.kill("SIGKILL");
    const how = await ended;
    signal.throwIfAborted();
    if (outcome === "ended") throw new Error(`${name} did not start: ${how}`);
    const seconds = readyTimeoutMs / 1_000;
    throw new Error(`${name} was not ready after ${seconds} s, and was stopped: ${how}`);
  }
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

type Readiness = "ready" | "ended" | "late" | "interrupted";

async function readiness(
  child: ChildProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Readiness> {
  const { promise, resolve } = Promise.withResolvers<Readiness>();
  const interrupt = () => resolve("interrupted");
  const timer = setTimeout(() => resolve("late"), timeoutMs);
  signal.addEventListener("abort", interrupt);
  child.on("message", (message) => {
    if (typeof message === "object" && "type" in message && message.type === "ready") {
      resolve("ready");
    }
  });
  child.once("exit", () => resolve("ended"));
  child.once("error", () => resolve("ended"));
  const outcome = await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", interrupt);
  return outcome;
}

function hasEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once("error", (error) => resolve(error.message));
  });
}

/** How it ended, with the last lines that it logged since its start. */
async function withLog(how: string, logFile: string, logStart: number): Promise<string> {
  const log = await readFile(logFile);
  const lines = log.subarray(logStart).toString("utf8").trimEnd().split("\n");
  return [how, ...lines.slice(-linesShown)].join("\n").trimEnd();
}
