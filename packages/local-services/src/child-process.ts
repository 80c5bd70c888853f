import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const execute = promisify(execFile);

interface ServerProcessOptions {
  /** Also the name of the log file: `<name>.log` in `directory`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Working directory of the server and folder of its log; created when missing. */
  readonly directory: string;
  /** The whole environment of the process. Default: it inherits that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Polled every 50 ms until it returns true. */
  isReady(): Promise<boolean>;
  /** Time until it must be ready, in milliseconds; then it is stopped and the start fails. */
  readonly timeoutMs: number;
  /** Time from SIGTERM to SIGKILL, in milliseconds. Default: 3,000. */
  readonly stopTimeoutMs?: number;
}

export interface ServerProcess {
  /** SIGTERM to the process group, SIGKILL after `stopTimeoutMs`; returns when it is gone. */
  readonly stop: () => Promise<void>;
  /** SIGKILL to the process group; returns when it is gone. */
  readonly kill: () => Promise<void>;
}

/**
 * Starts a server in a process group of its own and waits until it is ready.
 * It never outlives this process: with `setpriv` from util-linux the kernel kills it together with its
 * parent, even after `kill -9`; without it, it is killed when this process exits normally.
 *
 * @throws Error with the end of the server's log when it exits or is not ready in time.
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  await mkdir(options.directory, { recursive: true });
  const logPath = join(options.directory, `${options.name}.log`);
  const diesWithParent = (await commandSucceeds("setpriv", ["--pdeathsig", "KILL", "true"]))
    ? ["setpriv", "--pdeathsig", "KILL"]
    : [];
  const [command = options.command, ...args] = [
    ...diesWithParent,
    options.command,
    ...options.args,
  ];

  const log = await open(logPath, "a");
  const child = spawn(command, args, {
    cwd: options.directory,
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
    ...(options.environment && { env: options.environment }),
  });
  const exited = hasExited(child);
  await log.close();

  const killAtExit = (): void => killGroup(child, "SIGKILL");
  process.once("exit", killAtExit);

  async function stop(): Promise<void> {
    killGroup(child, "SIGTERM");
    const timer = setTimeout(() => killGroup(child, "SIGKILL"), options.stopTimeoutMs ?? 3_000);
    await exited;
    clearTimeout(timer);
    process.removeListener("exit", killAtExit);
  }

  async function kill(): Promise<void> {
    killAtExit();
    await exited;
    process.removeListener("exit", killAtExit);
  }

  const deadline = performance.now() + options.timeoutMs;
  let ended = false;
  void exited.then(() => (ended = true));
  while (!(await options.isReady())) {
    if (ended || performance.now() > deadline) {
      const reason = ended ? "ended at once" : `was not ready within ${options.timeoutMs} ms`;
      await stop();
      const lines = (await readFile(logPath, "utf8")).trimEnd().split("\n");
      throw new Error(`${options.name} ${reason}: ${lines.slice(-5).join(" | ")}`);
    }
    await Promise.race([delay(50), exited]);
  }
  return { stop, kill };
}

/** Whether a command exists and exits with 0. */
export async function commandSucceeds(command: string, args: readonly string[]): Promise<boolean> {
  try {
    await execute(command, args, { timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the process has exited or could not be started. */
async function hasExited(child: ChildProcess): Promise<void> {
  try {
    await once(child, "exit");
  } catch {
    // The command could not be started: `once` rejects with the child's "error" event.
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process group has already exited.
  }
}
