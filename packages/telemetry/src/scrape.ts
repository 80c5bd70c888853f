import { collectDefaultMetrics, Registry } from "prom-client";

/** What one process tells Prometheus. */
export interface Scraped {
  readonly contentType: string;
  /** All metrics in Prometheus' text format 0.0.4. */
  readonly text: string;
}

/** The metrics of one process: those of Node itself (memory, event loop, garbage collection) are in it. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Everything that a registry knows at this moment. */
export async function scrape(registry: Registry): Promise<Scraped> {
  return { contentType: registry.contentType, text: await registry.metrics() };
}
