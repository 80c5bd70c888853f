import { once } from "node:events";
import type { Progress } from "./progress.ts";
import type { Supervised } from "./supervise.ts";

/** 128 + SIGINT, as shells have it. */
export const interruptedExitCode = 130;

/** The end of this start, prepared while it goes on. */
export interface Shutdown extends AsyncDisposable {
  /** Aborted by the first signal that asks this program to end. */
  readonly interrupted: AbortSignal;
  /** A step on the way up: once interrupted, it is not begun, and that is why it failed. */
  readonly step: Progress["step"];
  /** Has something closed at the end; what was opened last is closed first. */
  defer(close: () => Promise<void>): void;
  /** The same for supervised processes, all at once, with a line about it. */
  stopLater(name: string, processes: readonly Supervised[]): void;
  /**
   * Resolves on an interruption.
   *
   * @throws Error when one of the processes is given up.
   */
  untilInterrupted(): Promise<void>;
}

/** Why what was under way when the signal came did not end. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const samePressMs = 500;

/**
 * Listens for the signals that end a program: the first interrupts, a second one ends everything at
 * once. Under npm a single Ctrl-C arrives twice, from the terminal and passed on by npm, so what
 * follows within half a second is the same one.
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
  // A closed terminal hangs up, and from then on writing to it fails: that must not end us halfway.
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
      if (signal.aborted) return;
      const givenUp = running.map((one) => one.givenUp);
      const reason = await Promise.race([once(signal, "abort"), ...givenUp]);
      if (reason instanceof Error) throw reason;
    },
    async [Symbol.asyncDispose]() {
      await closing.disposeAsync();
      for (const name of signals) process.off(name, interrupt);
    },
  };
}
