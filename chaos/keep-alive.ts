import { setTimeout as delay } from "node:timers/promises";
import type { Program } from "@atelier/configuration";

/** A program that is started again whenever it ends, as any process manager does. */
export interface KeptAlive {
  signal(signal: NodeJS.Signals): void;
  /** Settles when the one that runs now has ended. */
  ended(): Promise<unknown>;
  /** Settles when the next successor is ready. */
  replaced(): Promise<void>;
  /** No longer starts it again; settles when no start is under way. */
  letGo(): Promise<void>;
}

const beforeNextStartMs = 300;

/** A start that fails, because what the program needs is away, is tried again after a moment. */
export async function keepAlive(
  start: () => Promise<Program>,
  first?: Program,
): Promise<KeptAlive> {
  let program = first ?? (await start());
  const hold = new AbortController();
  let replacement = Promise.withResolvers<void>();
  let starting: Promise<void> = Promise.resolve();

  async function startAgain(): Promise<void> {
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
    async letGo() {
      hold.abort();
      await starting;
    },
  };
}
