import { flushCompileCache } from "node:module";
import { ConfigError, StartError } from "./errors.ts";

/** What serves until it is told to stop. */
export interface RunningProgram {
  /** Where it listens, when it does. */
  readonly port?: number;
  readonly adminPort?: number | null;
  /** Ends what is under way and closes everything; a second call waits for the first. */
  stop(): Promise<void>;
}

/** What a program says to the process that forked it once it serves; see `forkProgram`. */
export interface ReadyMessage {
  readonly type: "ready";
  readonly port?: number | undefined;
  readonly adminPort?: number | null | undefined;
}

/**
 * The life of a process that serves: starts it, says a `ReadyMessage` to the process that forked this
 * one, and stops it on SIGTERM, SIGINT, or when that process is gone. What goes wrong is written to
 * stderr and gives the exit code 1; a signal before it serves ends it at once.
 */
export async function runProgram(start: () => Promise<RunningProgram>): Promise<void> {
  let running: RunningProgram | null = null;

  function stop(exitCode: number): void {
    if (running === null) process.exit(exitCode);
    running.stop().then(
      // An open channel to the process that started this one would keep it alive.
      () => process.connected && process.disconnect(),
      (error: unknown) => {
        complain(error);
        process.exit(1);
      },
    );
  }
  // Without handlers, the first process of a container ignores these signals.
  process.on("SIGTERM", () => stop(128 + 15));
  process.on("SIGINT", () => stop(128 + 2));
  process.once("disconnect", () => stop(1));

  try {
    const { port, adminPort } = (running = await start());
    const ready: ReadyMessage = { type: "ready", port, adminPort };
    process.send?.(ready);
    // Where NODE_COMPILE_CACHE is set: also a process that is killed leaves its compiled code behind.
    flushCompileCache();
  } catch (error) {
    complain(error);
    // What was opened before it failed would go on, half a program that nobody starts again.
    process.exit(1);
  }
}

/** What an operator can mend is said in a line; where it comes from does not help. */
function complain(error: unknown): void {
  const isPlain = error instanceof ConfigError || error instanceof StartError;
  const text = error instanceof Error ? (isPlain ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
}
