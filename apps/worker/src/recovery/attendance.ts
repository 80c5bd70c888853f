import { attendRenders, type Claim } from "@atelier/generations/claims";
import type { Database } from "@atelier/database";
import { startLoop, type Loop } from "@atelier/process";

/** The renders that this process works on. */
export interface Attendance extends Pick<Loop, "stop"> {
  /** Attends to a render until the returned function is called. */
  enter(claim: Claim): () => void;
}

/**
 * Tells recovery at an interval which renders this process works on. Without it, a queue that loses its
 * entries would have renders in progress started again by other workers, and their calls paid twice.
 *
 * Recovery ignores claims younger than its timeout, so short renders need no statement.
 */
export function startAttendance(
  database: Database,
  options: { readonly intervalMs: number; readonly onError: (error: unknown) => void },
): Attendance {
  const { intervalMs, onError } = options;
  /** When each claim was entered, by the clock of `performance`. */
  const entered = new Map<Claim, number>();
  const loop = startLoop(attend, { firstDelayMs: intervalMs, delayMs: () => intervalMs, onError });

  async function attend(): Promise<void> {
    const before = performance.now() - intervalMs;
    const claims = [...entered].flatMap(([claim, at]) => (at <= before ? [claim] : []));
    if (claims.length > 0) await attendRenders(database, claims);
  }

  return {
    enter(claim) {
      entered.set(claim, performance.now());
      return () => void entered.delete(claim);
    },
    stop: () => loop.stop(),
  };
}
