import type { DiagLogFunction } from "@opentelemetry/api";
import { loadTracing } from "./tracing.ts";

export interface Tracing {
  readonly enabled: boolean;
  /** Flushes pending spans, for a few seconds at most. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** `http://host:4318`; spans are sent to its path `/v1/traces`. Null disables tracing. */
  readonly endpoint: string | null;
  /** `service.name` of the spans. */
  readonly service: string;
  /** Sampling ratio from 0 to 1 of traces that start in this process. */
  readonly ratio: number;
  /** Called with problems such as spans that could not be sent. */
  readonly onProblem: (message: string) => void;
}

const sendTimeoutMs = 5_000;

/**
 * Starts OpenTelemetry in this process. Without an endpoint nothing is loaded, and no span is made. A worker's polling for its next job creates no spans.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { endpoint, service, ratio, onProblem } = options;
  if (endpoint === null) return { enabled: false, close: async () => undefined };
  const [
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    { OTLPTraceExporter },
    { resourceFromAttributes },
    sdk,
  ] = await Promise.all([
    import("@opentelemetry/context-async-hooks"),
    import("@opentelemetry/core"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace"),
  ]);
  const { context, diag, DiagLogLevel, propagation, SpanKind, trace } = await loadTracing();
  const report: DiagLogFunction = (message) => onProblem(message);
  const ignore: DiagLogFunction = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  const recorded = new sdk.TraceIdRatioBasedSampler(ratio);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces`,
    timeoutMillis: sendTimeoutMs,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": service,
      "service.instance.id": `${service}-${process.pid}`,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: {
        // BullMQ creates a span for each poll of an empty queue.
        shouldSample: (parent, traceId, _name, kind) =>
          kind === SpanKind.INTERNAL
            ? { decision: sdk.SamplingDecision.NOT_RECORD }
            : recorded.shouldSample(parent, traceId),
        toString: () => `NotInternal{${recorded.toString()}}`,
      },
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: sendTimeoutMs,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    enabled: true,
    async close() {
      // An unavailable collector must not delay or fail the shutdown.
      await provider.shutdown().catch((error: Error) => onProblem(error.message));
      diag.disable();
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
