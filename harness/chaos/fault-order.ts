import type { Fault } from "./schedule.ts";

/**
 * Orders faults whose times overlap: those of the same subject follow each other, since a server that is
 * still restarting cannot be stopped, and a restore is alone.
 */
export interface FaultOrder {
  /** Injects a fault when those that it has to follow are over. */
  run<Result>(fault: Fault, inject: () => Promise<Result>): Promise<Result>;
}

export function createFaultOrder(): FaultOrder {
  const lastBySubject = new Map<string, Promise<unknown>>();
  let lastRestore: Promise<unknown> = Promise.resolve();
  return {
    run(fault, inject) {
      const isAlone = fault.kind === "database lost and restored";
      const subject = fault.kind.split(" ")[0] ?? "";
      const before = isAlone ? [...lastBySubject.values()] : [lastBySubject.get(subject)];
      const injected = Promise.all([lastRestore, ...before]).then(inject);
      const over = injected.catch(() => undefined);
      lastBySubject.set(subject, over);
      if (isAlone) lastRestore = over;
      return injected;
    },
  };
}
