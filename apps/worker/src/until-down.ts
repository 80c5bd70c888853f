import { setTimeout as delay } from "node:timers/promises";
import { withTimeout } from "@atelier/process";

/** An outage that is shorter, such as a restart of the database, is waited for. */
const downAfterMs = 3_000;
const intervalMs = 500;
const checkTimeoutMs = 1_000;

/**
 * Resolves when a dependency has been unavailable for three seconds.
 *
 * @param check rejects when it is unavailable.
 * @param stopped ends the checks: the promise rejects.
 */
export async function untilDown(check: () => Promise<void>, stopped: AbortSignal): Promise<void> {
  let lastResponseAt = performance.now();
  for (;;) {
    const startedAt = performance.now();
    try {
      await withTimeout(check(), checkTimeoutMs);
      lastResponseAt = startedAt;
    } catch {
      if (performance.now() - lastResponseAt >= downAfterMs) return;
    }
    await delay(intervalMs, undefined, { signal: stopped });
  }
}
