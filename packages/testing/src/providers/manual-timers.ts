import type { CallLimits } from "@atelier/models";

/** Timers that expire when a test says so, and not by the clock of a busy machine. */
export interface ManualTimers {
  readonly startTimer: NonNullable<CallLimits["startTimer"]>;
  /** Waits until a timer of that length runs, and lets it expire. */
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
