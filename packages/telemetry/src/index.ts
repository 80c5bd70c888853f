export { createApiMetrics, type ApiMetrics, type AssistantResult } from "./api-metrics.ts";
export { createLogger, type Logger } from "./create-logger.ts";
export type { Scraped } from "./scrape.ts";
export { createWorkerMetrics, type RenderOutcome, type WorkerMetrics } from "./worker-metrics.ts";
export { startTracing, type Tracing, type TracingOptions } from "./start-tracing.ts";
export {
  addSpanFacts,
  currentTraceId,
  currentTraceParent,
  traceRequest,
  traceStep,
  withTraceParent,
  type SpanFacts,
} from "./tracing.ts";
