import { fork, type ChildProcess } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { readLogEnd } from "./read-log-end.ts";
import type { ReadyMessage } from "./run-program.ts";

export interface ForkOptions {
  /** Absolute path of its main file, which calls `runProgram`. */
  readonly script: string;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it works; where this process does when left out. */
  readonly cwd?: string;
  /** Its output is appended here. */
  readonly logFile: string;
}

/** Where a program listens; 0 for what it does not open. */
export interface ProgramPorts {
  readonly main: number;
  readonly admin: number;
}

/** A program as a process of its own, whether it serves yet or not. */
export interface ForkedProgram {
  readonly pid: number;
  /** Resolves when it serves; with null when it ended before that. */
  readonly ready: Promise<ProgramPorts | null>;
  /** Resolves with its exit code when it is gone; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /**
   * Waits until it is gone; how, such as "SIGKILL", and on further lines the end of its log, where
   * that can be read. Never rejects.
   */
  describeEnd(): Promise<string>;
  /** Everything that it wrote so far. */
  log(): Promise<string>;
  /** SIGTERM, and waits until it is gone; its exit code. */
  stop(): Promise<number | null>;
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

/** Starts a program as a process of its own, and does not wait for it. */
export async function forkProgram(options: ForkOptions): Promise<ForkedProgram> {
  const { script, environment, cwd, logFile } = options;
  const output = await open(logFile, "a", 0o600);
  const { size: logStart } = await output.stat();
  const child = fork(script, [], {
    cwd,
    env: { ...environment },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", output.fd, output.fd, "ipc"],
    // A group of its own: Ctrl-C in a terminal goes to us alone, and we decide who stops when.
    // Should we be killed, the channel closes, and it ends by itself.
    detached: true,
  });
  const gone = untilGone(child);
  const ready = Promise.race([untilReady(child), gone.then(() => null)]);
  const ended = gone.then(({ exitCode }) => exitCode);
  await output.close();

  async function log(): Promise<string> {
    return (await readFile(logFile)).subarray(logStart).toString("utf8");
  }

  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    async describeEnd() {
      const { how } = await gone;
      return [how, ...(await readLogEnd(logFile, logStart))].join("\n").trimEnd();
    },
    log,
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    signal: (signal) => void child.kill(signal),
  };
}

function untilReady(child: ChildProcess): Promise<ProgramPorts> {
  return new Promise((resolve) => {
    child.on("message", (message: Partial<ReadyMessage>) => {
      if (message.type !== "ready") return;
      resolve({ main: message.port ?? 0, admin: message.adminPort ?? 0 });
    });
  });
}

function untilGone(child: ChildProcess): Promise<{ exitCode: number | null; how: string }> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) =>
      resolve({ exitCode, how: signal ?? `exit code ${exitCode}` }),
    );
    child.once("error", (error) => resolve({ exitCode: null, how: error.message }));
  });
}
