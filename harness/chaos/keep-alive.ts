import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Program } from "@atelier/process";

/** A program that is restarted whenever it exits, as by a process manager. */
export interface KeptAlive {
  signal(signal: NodeJS.Signals): void;
  /** Settles when the current process has exited. */
  ended(): Promise<unknown>;
  /** Settles when the next process is ready. */
  replaced(): Promise<void>;
  /** Kills it; settles when it has exited. It is not restarted until the returned function is called. */
  keepDown(): Promise<() => void>;
  /** Stops restarting it; settles when no start is in progress. */
  letGo(): Promise<void>;
}

const beforeNextStartMs = 300;

/**
 * A start that fails, for example because a dependency is unavailable, is retried after a moment.
 */
export async function keepAlive(
  start: () => Promise<Program>,
  first?: Program,
): Promise<KeptAlive> {
  let program = first ?? (await start());
  const hold = new AbortController();
  let replacement = Promise.withResolvers<void>();
  let starting: Promise<void> = Promise.resolve();
  let mayStart: Promise<void> = Promise.resolve();

  async function startAgain(): Promise<void> {
    await Promise.race([mayStart, once(hold.signal, "abort")]);
    while (!hold.signal.aborted) {
      try {
        program = await start();
        watch();
        replacement.resolve();
        replacement = Promise.withResolvers();
        return;
      } catch {
        await delay(beforeNextStartMs);
      }
    }
  }

  function watch(): void {
    void program.ended.then(() => (starting = startAgain()));
  }

  watch();
  return {
    signal: (signal) => program.signal(signal),
    ended: () => program.ended,
    replaced: () => replacement.promise,
    async keepDown() {
      await starting;
      const { promise, resolve } = Promise.withResolvers<void>();
      mayStart = promise;
      program.signal("SIGKILL");
      await program.ended;
      return resolve;
    },
    async letGo() {
      hold.abort();
      await starting;
    },
  };
}
