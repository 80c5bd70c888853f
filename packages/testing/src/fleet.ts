import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A program of the product, running as a process of its own as it would in production. */
export interface Program {
  readonly pid: number;
  /** Where it listens; 0 for what it does not open. */
  readonly ports: { readonly main: number; readonly admin: number };
  /** Resolves with its exit code when it is gone; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Everything that it wrote so far. */
  log(): Promise<string>;
  /** SIGTERM, and waits until it is gone; its exit code. */
  stop(): Promise<number | null>;
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

export interface ProgramOptions {
  /** Path of its main file from the root of the repository. */
  readonly entry: string;
  /** Its whole environment, but for PATH, HOME and a cache of compiled code. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where its log goes. */
  readonly directory: string;
  readonly name: string;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Half of what a start costs is compiling, and tests start programs by the dozen. */
const compileCache = join(root, "node_modules/.cache/node-compile");

/**
 * Starts a program and waits until it says that it is ready. One that a test has die at some step
 * (FAILPOINT_FILE) may come to that step before it says so.
 *
 * @throws Error with its log when it ends instead.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const logPath = join(options.directory, `${options.name}.log`);
  const child = fork(join(root, options.entry), [], {
    cwd: options.directory,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: compileCache,
      ...options.environment,
    },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const log = createWriteStream(logPath, { flags: "a" });
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const mayDie = "FAILPOINT_FILE" in options.environment;
  const ports = await untilReady(child, ended, logPath, mayDie);
  return {
    pid: child.pid ?? 0,
    ports,
    ended,
    log: () => readFile(logPath, "utf8"),
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

/** The ports that it tells when it is ready. */
async function untilReady(
  child: ChildProcess,
  ended: Promise<number | null>,
  logPath: string,
  mayDie: boolean,
): Promise<Program["ports"]> {
  const ready = once(child, "message").then(([message]) => message as Partial<Ready>);
  const answer = await Promise.race([ready, ended]);
  if (answer !== null && typeof answer === "object") {
    return { main: answer.port ?? 0, admin: answer.adminPort ?? 0 };
  }
  // Killed, and not ended by a failure of its start.
  if (mayDie && answer === null) return { main: 0, admin: 0 };
  throw new Error(`ended with ${answer} before it was ready:\n${await readFile(logPath, "utf8")}`);
}

/** What `runProgram` says. */
interface Ready {
  readonly port: number;
  readonly adminPort: number | null;
}
