import { fork, type ChildProcess } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { devNull } from "node:os";
import { readLogEnd } from "./read-log-end.ts";
import type { ReadyMessage } from "./run-program.ts";

export interface ForkOptions {
  /** Absolute path of its main file, which calls `runProgram`. */
  readonly script: string;
  /** Its whole environment: nothing is inherited from this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Working directory, which relative paths of its settings refer to. Default: that of this process. */
  readonly cwd?: string;
  /** File that its output is appended to; created when missing, readable by its owner only. */
  readonly logFile: string;
}

/** The ports that a program listens on; 0 for those it does not open. */
export interface ProgramPorts {
  readonly main: number;
  readonly admin: number;
}

/** A program running as a child process. */
export interface ForkedProgram {
  readonly pid: number;
  /** Resolves when it serves; null when it exited before. */
  readonly ready: Promise<ProgramPorts | null>;
  /** Resolves with its exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /**
   * Waits until it has exited and returns how, such as "SIGKILL", followed by the last lines of its log
   * if readable. Never rejects.
   */
  describeEnd(): Promise<string>;
  /** Its output so far. */
  log(): Promise<string>;
  /** Sends SIGTERM, waits for the exit, and returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

/** Starts a program as a child process, without waiting until it serves. */
export async function forkProgram(options: ForkOptions): Promise<ForkedProgram> {
  const { script, environment, cwd, logFile } = options;
  const output = await open(logFile, "a", 0o600);
  const { size: logStart } = await output.stat();
  const child = fork(script, [], {
    cwd,
    // Nor from a file `.env`: the program that starts it has read that.
    env: { ...environment, ATELIER_ENV_FILE: devNull },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", output.fd, output.fd, "ipc"],
    // Its own process group, so that Ctrl-C signals only this process, which decides the order of
    // stopping. If this process is killed, the channel closes and the child exits.
    detached: true,
  });
  const exit = untilExited(child);
  const ready = Promise.race([untilReady(child), exit.then(() => null)]);
  const ended = exit.then(({ exitCode }) => exitCode);
  await output.close();

  async function log(): Promise<string> {
    return (await readFile(logFile)).subarray(logStart).toString("utf8");
  }

  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    async describeEnd() {
      const { ending } = await exit;
      return [ending, ...(await readLogEnd(logFile, logStart))].join("\n").trimEnd();
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

function untilExited(child: ChildProcess): Promise<{ exitCode: number | null; ending: string }> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) =>
      resolve({ exitCode, ending: signal ?? `exit code ${exitCode}` }),
    );
    child.once("error", (error) => resolve({ exitCode: null, ending: error.message }));
  });
}
