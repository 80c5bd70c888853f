import { flushCompileCache } from "node:module";
import { isTransient } from "@atelier/database";
import { ConfigError, StartError } from "@atelier/configuration";

/** The exit code of a start that may succeed later: EX_TEMPFAIL in sysexits.h. */
export const temporaryFailure = 75;

/** Time for what was closed to end by itself, in milliseconds. */
const exitAfterMs = 500;

/** A program that serves until it is stopped. */
export interface RunningProgram {
  /** The ports that it listens on. */
  readonly port?: number;
  readonly adminPort?: number | null;
  /** Drains and closes everything; a second call waits for the first. */
  stop(): Promise<void>;
}

/** Sent to the parent process when the program serves; see `forkProgram`. */
export interface ReadyMessage {
  readonly type: "ready";
  readonly port?: number | undefined;
  readonly adminPort?: number | null | undefined;
}

/**
 * Runs a program: starts it, sends a `ReadyMessage` to the parent process, and stops it on SIGTERM, SIGINT
 * or when the parent exits. Errors are written to stderr and give exit code 1, or 75 if a later start
 * may succeed. A signal before it serves ends the process at once.
 */
export async function runProgram(start: () => Promise<RunningProgram>): Promise<void> {
  let running: RunningProgram | null = null;

  function stop(exitCode: number): void {
    if (running === null) process.exit(exitCode);
    running.stop().then(letExit, (error: unknown) => {
      printError(error);
      process.exit(1);
    });
  }
  // As PID 1 of a container, a process without handlers ignores these signals.
  process.on("SIGTERM", () => stop(128 + 15));
  process.on("SIGINT", () => stop(128 + 2));
  process.once("disconnect", () => stop(1));

  try {
    const { port, adminPort } = (running = await start());
    const ready: ReadyMessage = { type: "ready", port, adminPort };
    process.send?.(ready);
    // With NODE_COMPILE_CACHE: flush now, so that the cache survives a killed process.
    flushCompileCache();
  } catch (error) {
    printError(error);
    // Exit explicitly: what was opened before the failure would keep half a program running.
    process.exit(isTransient(causeOf(error)) ? temporaryFailure : 1);
  }
}

/** Ends this process although the channel to its parent, or a connection that hangs, is open. */
function letExit(): void {
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), exitAfterMs).unref();
}

/** The cause of a failed start. */
function causeOf(error: unknown): unknown {
  return error instanceof StartError ? error.cause : error;
}

/** Errors that an operator can fix are printed as one line, without a stack. */
function printError(error: unknown): void {
  const isPlain = error instanceof ConfigError || error instanceof StartError;
  const text = error instanceof Error ? (isPlain ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
}
