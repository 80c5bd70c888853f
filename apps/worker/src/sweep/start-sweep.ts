import { newId, type Database } from "@atelier/database";
import { extendLease, startLoop, takeLease, type Loop } from "@atelier/generations";
import { filePrefixes } from "@atelier/schemas";
import type { Storage } from "@atelier/storage";
import type { Logger, WorkerMetrics } from "@atelier/telemetry";
import { sweepExpired } from "./sweep-expired.ts";
import { sweepOrphans } from "./sweep-orphans.ts";

export interface SweepOptions {
  /** How long the images of a job are kept once it is final. */
  readonly retentionMs: number;
  /** From one sweep of the fleet to the next. */
  readonly intervalMs: number;
}

export interface SweepDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly metrics: WorkerMetrics;
  readonly logger: Logger;
  /** The clock that files are dated by, in milliseconds since 1970. */
  readonly now: () => number;
}

const task = "sweep";

/** Whoever is silent for that long in the middle of a sweep has lost its lease. */
const leaseMs = 120_000;

/** No upload takes that long; whatever is older and has no row never gets one. */
const settledAfterMs = 3_600_000;

const dayMs = 86_400_000;

/**
 * Removes, from time to time, what is kept too long. Every worker asks, and one of the fleet does it;
 * where it dies, another begins again. Stopped, it ends after the batch that is under way.
 */
export function startSweep(options: SweepOptions, dependencies: SweepDependencies): Loop {
  const { intervalMs } = options;
  const holder = newId();
  return startLoop((stopped) => sweepWithLease(holder, options, dependencies, stopped), {
    // Workers that started together do not ask together.
    firstDelayMs: intervalMs * Math.random(),
    delayMs: () => intervalMs,
    onError: (error) => dependencies.logger.warn({ err: error }, "sweep failed, will try again"),
  });
}

/**
 * One sweep, unless another worker is at it, or the last one was less than an interval ago.
 *
 * @returns whether this worker had the lease.
 */
export async function sweepWithLease(
  holder: string,
  { retentionMs, intervalMs }: SweepOptions,
  dependencies: SweepDependencies,
  stopped: AbortSignal,
): Promise<boolean> {
  const { database, storage, metrics, logger } = dependencies;
  if (!(await takeLease(database, { task, holder, forMs: leaseMs }))) return false;
  const sweep = { isWhole: true };
  const proceed = async () =>
    (sweep.isWhole &&=
      !stopped.aborted && (await extendLease(database, { task, holder, forMs: leaseMs })));
  try {
    const images = await sweepExpired(retentionMs, dependencies, proceed);
    metrics.swept("image", images);
    const staged = (await proceed())
      ? await sweepOrphans("staged", settledAfterMs, dependencies, proceed)
      : 0;
    metrics.swept("staged", staged);
    // Images are gone by then: what is still there is of a generation under way, or an orphan. To the
    // day, the store can do that by itself, and be a second net for everything else.
    const keptMs = Math.max(retentionMs, settledAfterMs);
    const days = Math.ceil(keptMs / dayMs) + 1;
    const storeDoes =
      (await proceed()) && (await storage.expireAfterDays(Object.values(filePrefixes), days));
    const orphans =
      !storeDoes && (await proceed())
        ? await sweepOrphans("renders", keptMs, dependencies, proceed)
        : 0;
    metrics.swept("orphan", orphans);
    if (sweep.isWhole) metrics.sweepEnded(true);
    logger.info({ images, staged, orphans, storeDoes }, sweep.isWhole ? "swept" : "sweep stopped");
  } catch (error) {
    metrics.sweepEnded(false);
    throw error;
  } finally {
    // Also after a failure: what is wrong now will be so for a while. One that was stopped is for
    // another worker to go on with.
    await extendLease(database, { task, holder, forMs: sweep.isWhole ? intervalMs : leaseMs });
  }
  return true;
}
