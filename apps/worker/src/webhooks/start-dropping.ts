import { newId, type Database } from "@atelier/database";
import { dropDeliveries } from "@atelier/events";
import { startLoop, takeLease, type Loop } from "@atelier/process";
import type { Logger } from "@atelier/telemetry";

const task = "drop-deliveries";
const intervalMs = 60_000;

/** A worker that does not extend its lease for this long loses it. */
const leaseMs = 60_000;

/**
 * Drops deliveries that are not sent any more, once a minute by one worker of the fleet: see
 * `dropDeliveries`.
 */
export function startDropping({
  database,
  logger,
}: {
  readonly database: Database;
  readonly logger: Logger;
}): Loop {
  const holder = newId();
  return startLoop(
    async (stopped) => {
      const lease = await takeLease(database, { task, holder, forMs: leaseMs, stopped });
      if (lease === null) return;
      try {
        const count = await dropDeliveries(database, () => lease.extend());
        if (count > 0) logger.warn({ count }, "webhook deliveries were dropped");
      } finally {
        // No other worker takes the task within the minute.
        await lease.keepFor(intervalMs);
      }
    },
    {
      // Jitter keeps workers that started together from asking at the same time.
      firstDelayMs: intervalMs * Math.random(),
      delayMs: () => intervalMs,
      onError: (error) =>
        logger.warn({ err: error }, "webhook deliveries were not dropped, will try again"),
    },
  );
}
