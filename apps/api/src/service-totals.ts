import { withTimeout } from "@atelier/process";
import { createTotalsReader } from "@atelier/generations/jobs";
import type { ServiceTotals } from "@atelier/schemas";
import type { Needs } from "./dependencies.ts";

/** Cache lifetime: each process queries the database at most once in this time. */
const cacheMs = 2_000;

/** Less than the default scrape timeout of Prometheus, which is 10 s and loses all metrics. */
const timeoutMs = 3_000;

/**
 * Reads the totals for the metrics and caches them for a few seconds.
 *
 * @returns null when the database does not respond within three seconds.
 */
export function createCachedTotalsReader({
  database,
  lanes,
  logger,
}: Needs<"database" | "lanes" | "logger">): () => Promise<ServiceTotals | null> {
  const readTotals = createTotalsReader();

  async function read(): Promise<ServiceTotals | null> {
    try {
      const totals = await withTimeout(readTotals(database), timeoutMs);
      const busy = new Set(totals.lanes.map(({ lane }) => lane));
      const idle = lanes
        .filter((lane) => !busy.has(lane))
        .map((lane) => ({ lane, waiting: 0, running: 0, oldestSeconds: 0 }));
      return { ...totals, lanes: [...totals.lanes, ...idle] };
    } catch (error) {
      logger.warn({ err: error }, "the totals for the metrics could not be read");
      return null;
    }
  }

  return cacheForSeconds(read).read;
}

/** Caches the result of a read for a few seconds, also while it is read. */
export function cacheForSeconds<Value>(readNow: () => Promise<Value>): {
  readonly read: () => Promise<Value>;
  /** Makes the next read a new one. */
  readonly drop: () => void;
} {
  let cached: { readonly at: number; readonly value: Promise<Value> } | undefined;
  return {
    read() {
      const now = performance.now();
      if (cached === undefined || now - cached.at >= cacheMs)
        cached = { at: now, value: readNow() };
      return cached.value;
    },
    drop() {
      cached = undefined;
    },
  };
}
