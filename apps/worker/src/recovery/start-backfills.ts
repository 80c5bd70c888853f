import type { Database } from "@atelier/database";
import { runBackfillBatch } from "@atelier/generations/retention";
import { startLoop, type Loop } from "@atelier/process";
import type { Logger } from "@atelier/telemetry";

/** Pause between two batches, so that a backfill leaves most of the database to the service. */
const pauseMs = 200;
/** Delay until the next look while nothing is to be done. */
const idleMs = 60_000;
const logEveryMs = 10_000;

/** Runs the backfills of this version in batches. Every worker tries; one at a time works on each. */
export function startBackfills({
  database,
  logger,
}: {
  readonly database: Database;
  readonly logger: Logger;
}): Loop {
  let delayMs = idleMs;
  let loggedAt = -Infinity;
  return startLoop(
    async () => {
      delayMs = idleMs;
      const progress = await runBackfillBatch(database);
      if (progress === null) return;
      delayMs = pauseMs;
      const isDone = progress.finishedAt !== null;
      if (!isDone && performance.now() - loggedAt < logEveryMs) return;
      loggedAt = performance.now();
      const { name, rowsDone, rowsTotal } = progress;
      logger.info({ backfill: name, rowsDone, rowsTotal }, isDone ? "backfill done" : "backfill");
    },
    {
      // Jitter keeps workers that started together from asking at the same time.
      firstDelayMs: 1 + 1_000 * Math.random(),
      delayMs: () => delayMs,
      onError: (error) => logger.warn({ err: error }, "backfill failed, will retry"),
    },
  );
}
