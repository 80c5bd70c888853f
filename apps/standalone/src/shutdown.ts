import { once } from "node:events";
import type { Progress } from "./progress.ts";
import type { Supervised } from "./supervise.ts";

/** 128 + SIGINT, as in shells. */
export const interruptedExitCode = 130;

/** The shutdown of this program, which can be prepared during the start. */
interface Shutdown extends AsyncDisposable {
  /** Aborted by the first termination signal. */
  readonly interrupted: AbortSignal;
  /**
   * Runs a step of the start. After an interruption, new steps are not started, and steps in progress
   * that fail reject with Interrupted.
   */
  readonly step: Progress["step"];
  /** Registers a resource to close at the end, in reverse order of opening. */
  defer(close: () => Promise<void>): void;
  /** Like `defer`, for supervised processes: stops them in parallel and prints a line about it. */
  stopLater(name: string, processes: readonly Supervised[]): void;
  /** Resolves on interruption. */
  untilInterrupted(): Promise<void>;
}

/** The reason why an operation was aborted by a signal. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const samePressMs = 500;

/**
 * Handles termination signals: the first one interrupts, a second one exits at once. Under npm, a
 * single Ctrl-C arrives twice, from the terminal and forwarded by npm, so signals within half a
 * second count as one.
 */
export function prepareShutdown(progress: Progress): Shutdown {
  const closing = new AsyncDisposableStack();
  const interruption = new AbortController();
  const running: Supervised[] = [];
  let interruptedAt = 0;

  function interrupt(): void {
    if (!interruption.signal.aborted) {
      interruptedAt = performance.now();
      progress.note("Stopping. Ctrl-C again ends everything at once.");
      interruption.abort(new Interrupted("Interrupted."));
    } else if (performance.now() - interruptedAt > samePressMs) {
      for (const one of running) one.kill();
      process.exit(interruptedExitCode);
    }
  }
  for (const name of signals) process.on(name, interrupt);
  // After a closed terminal hangs up, writing to it fails; that must not abort the shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  return {
    interrupted: interruption.signal,
    async step(...args) {
      const { signal } = interruption;
      signal.throwIfAborted();
      try {
        return await progress.step(...args);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
    defer: (close) => closing.defer(close),
    stopLater(name, processes) {
      if (processes.length === 0) return;
      running.push(...processes);
      const stop = () => Promise.all(processes.map((one) => one.stop()));
      closing.defer(async () => {
        await progress.step(`Stopping ${name}`, stop, () => `${name} stopped`);
      });
    },
    async untilInterrupted() {
      const { signal } = interruption;
      if (!signal.aborted) await once(signal, "abort");
    },
    async [Symbol.asyncDispose]() {
      await closing.disposeAsync();
      for (const name of signals) process.off(name, interrupt);
    },
  };
}
