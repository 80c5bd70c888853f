import {
  endLeftovers,
  forgetFullBuckets,
  forgetStudioLinks,
  type Peppers,
} from "@atelier/accounts";
import { newId, type Database, type Sql } from "@atelier/database";
import {
  deleteExpiredDeliveries,
  deleteExpiredEvents,
  deleteExpiredReceivers,
  resealSecrets,
} from "@atelier/events";
import { forgetIdempotencyKeys } from "@atelier/generations/claims";
import { forgetSilentWorkers } from "@atelier/generations/inspect";
import { startLoop, takeLease, type Lease, type Loop } from "@atelier/process";
import type { Logger } from "@atelier/telemetry";

/** Interval between two cleanings of the fleet. */
const intervalMs = 60_000;

/** A cleaning that does not extend its lease for this long loses it. */
const leaseMs = 30_000;

/** Deletes expired rows of one kind; returns whether there may be more. */
type Batch = (sql: Sql) => Promise<boolean>;

const once =
  (run: (sql: Sql) => Promise<void>): Batch =>
  async (sql) => {
    await run(sql);
    return false;
  };

const batches: Readonly<Record<string, Batch>> = {
  "ended keys": once(endLeftovers),
  "idempotency keys": once(forgetIdempotencyKeys),
  "rate limits": once(forgetFullBuckets),
  "Studio links": once(forgetStudioLinks),
  "silent workers": once(forgetSilentWorkers),
  events: deleteExpiredEvents,
  deliveries: deleteExpiredDeliveries,
  "receivers of requests": deleteExpiredReceivers,
};

interface CleaningDependencies {
  readonly database: Database;
  readonly peppers: Peppers;
  readonly logger: Logger;
}

/**
 * Deletes expired rows once a minute. Every worker tries, and the one that holds the lease of the fleet
 * does it; if it dies, another one continues.
 */
export function startCleaning(dependencies: CleaningDependencies): Loop {
  const holder = newId();
  return startLoop((stopped) => cleanWithLease(holder, dependencies, stopped), {
    // Jitter keeps workers that started together from asking at the same time.
    firstDelayMs: (intervalMs / 4) * Math.random(),
    delayMs: () => intervalMs * (0.75 + Math.random() / 4),
    onError: (error) => dependencies.logger.warn({ err: error }, "cleaning failed, will retry"),
  });
}

/**
 * Runs one cleaning until nothing is left, unless another worker did so less than an interval ago. A part
 * that fails does not stop the others.
 *
 * @returns whether this worker held the lease.
 */
export async function cleanWithLease(
  holder: string,
  { database, peppers, logger }: CleaningDependencies,
  stopped: AbortSignal,
): Promise<boolean> {
  const lease = await takeLease(database, { task: "cleaning", holder, forMs: leaseMs, stopped });
  if (lease === null) return false;
  for (const [part, runBatch] of Object.entries(batches)) {
    try {
      while (lease.isHeld() && (await runBatch(database))) await lease.extend();
    } catch (error) {
      logger.warn({ err: error, part }, "cleaning failed, will retry");
    }
  }
  if (lease.isHeld()) await resealWithLease(lease, { database, peppers, logger });
  if (!stopped.aborted) await lease.keepFor(intervalMs);
  return true;
}

/** Encrypts secrets of webhooks with the current pepper. */
async function resealWithLease(
  lease: Lease,
  { database, peppers, logger }: CleaningDependencies,
): Promise<void> {
  try {
    const unreadable = await resealSecrets(database, peppers, () => lease.extend());
    if (unreadable === 0) return;
    logger.error(
      { webhooks: unreadable },
      "webhooks cannot be delivered: add the KEY_PEPPER that encrypted their secrets to OLD_KEY_PEPPERS",
    );
  } catch (error) {
    logger.warn({ err: error }, "secrets of webhooks not encrypted again, will retry");
  }
}
