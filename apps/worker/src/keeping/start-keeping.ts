import { newId } from "@atelier/database";
import { findKeepingWork } from "@atelier/generations/library";
import { startLoop, takeLease, type Loop } from "@atelier/process";
import { createFileBackOff } from "./file-back-off.ts";
import { keepFiles, type KeepingDependencies } from "./keep-files.ts";

/** A worker that does not extend its lease for this long loses it. */
const leaseMs = 120_000;

/** Interval between two turns of the fleet. */
const intervalMs = 1_000;

/** Longest delay between two looks while nothing is to be kept, since notifications may be lost. */
const idleMs = 30_000;

/**
 * Copies files that are to be kept, and removes those that are not kept any more. Every worker looks when it is
 * woken by a notification on `keepingChannel`, and the one that holds the lease of the fleet does it; if it dies,
 * another one continues.
 */
export function startKeeping(
  options: { readonly quotaBytes: number },
  dependencies: KeepingDependencies,
): Loop {
  const { database, logger } = dependencies;
  const holder = newId();
  const backOff = createFileBackOff();

  let delayMs = idleMs;
  async function keep(stopped: AbortSignal): Promise<void> {
    delayMs = idleMs;
    const work = await findKeepingWork(database);
    if (work.isDue || work.isAwaited) delayMs = intervalMs;
    if (!work.isDue) return;
    const lease = await takeLease(database, { task: "keeping", holder, forMs: leaseMs, stopped });
    if (lease === null) return;
    try {
      await keepFiles({ ...options, backOff }, dependencies, () => lease.extend());
    } finally {
      await lease.keepFor(intervalMs);
    }
  }

  return startLoop(keep, {
    // Jitter keeps workers that started together from asking at the same time.
    firstDelayMs: intervalMs * Math.random(),
    delayMs: () => delayMs * (1 + Math.random() / 4),
    gapMs: intervalMs,
    onError: (error) => logger.warn({ err: error }, "keeping failed, will retry"),
  });
}
