import type { CallLimits } from "../http/send.ts";

/** Timers that a test expires explicitly, independent of the clock. */
interface ManualTimers {
  readonly startTimer: NonNullable<CallLimits["startTimer"]>;
  /** Waits until a timer of that length is running, and expires it. */
  expire(timeoutMs: number): Promise<void>;
}

export function createManualTimers(): ManualTimers {
  const running = new Set<{ timeoutMs: number; expire: () => void }>();
  let changed = Promise.withResolvers<void>();
  return {
    startTimer(timeoutMs, expire) {
      const timer = { timeoutMs, expire };
      running.add(timer);
      changed.resolve();
      changed = Promise.withResolvers();
      return () => running.delete(timer);
    },
    async expire(timeoutMs) {
      for (;;) {
        const timer = [...running].find((candidate) => candidate.timeoutMs === timeoutMs);
        if (timer !== undefined) {
          running.delete(timer);
          timer.expire();
          return;
        }
        await changed.promise;
      }
    },
  };
}
