export type { Scraped } from "./scrape.ts";
export { createWorkerMetrics, type RenderOutcome, type WorkerMetrics } from "./worker-metrics.ts";
