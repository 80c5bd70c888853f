import { collectDefaultMetrics, Registry } from "prom-client";

/** The response to a Prometheus scrape. */
export interface Scraped {
  readonly contentType: string;
  /** All metrics in Prometheus' text format 0.0.4. */
  readonly text: string;
}

/**
 * Creates the registry of one process, including Node's own metrics (memory, event loop, garbage
 * collection).
 */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Exports the current values of a registry. */
export async function scrape(registry: Registry): Promise<Scraped> {
  return { contentType: registry.contentType, text: await registry.metrics() };
}
