import { withTimeout } from "@atelier/configuration";
import { readTotals } from "@atelier/generations";
import type { ServiceTotals } from "@atelier/schemas";
import type { ApiDependencies } from "./dependencies.ts";

/** However many ask, and however often, the database is asked once in that time by each process. */
const keptForMs = 2_000;

/** Prometheus gives up after 10 s unless it is told otherwise, and then learns nothing at all. */
const timeoutMs = 3_000;

/**
 * Reads the totals for the metrics, and keeps them for a few seconds.
 *
 * @returns null when the database does not answer within three seconds.
 */
export function createTotalsReader({
  database,
  queues,
  logger,
}: Pick<ApiDependencies, "database" | "queues" | "logger">): () => Promise<ServiceTotals | null> {
  let kept: { readonly at: number; readonly totals: Promise<ServiceTotals | null> } | undefined;
  const lanes = queues.bullQueues.map(({ name }) => name);

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

  return () => {
    const now = performance.now();
    if (kept === undefined || now - kept.at >= keptForMs) kept = { at: now, totals: read() };
    return kept.totals;
  };
}
