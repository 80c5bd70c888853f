import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  SpanKind,
  trace,
  type DiagLogFunction,
} from "@opentelemetry/api";

export interface Tracing {
  readonly enabled: boolean;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** `http://host:4318`: spans go to `/v1/traces` below it. Null: there is no tracing. */
  readonly endpoint: string | null;
  /** `service.name` of the spans. */
  readonly service: string;
  /** From 0 to 1: which part of the traces that begin here is recorded. */
  readonly ratio: number;
  /** Spans could not be sent, for example. */
  readonly onProblem: (message: string) => void;
}

const sendTimeoutMs = 5_000;

/**
 * Starts OpenTelemetry in this process. Without an endpoint nothing is loaded, and spans cost a call of
 * an empty function. Spans that nobody waits for (a worker that looks for its next job) are not made.
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
  const report: DiagLogFunction = (message) => onProblem(message);
  const ignore: DiagLogFunction = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  const recorded = new sdk.TraceIdRatioBasedSampler(ratio);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    timeoutMillis: sendTimeoutMs,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": service,
      "service.instance.id": `${service}-${process.pid}`,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: {
        // BullMQ makes a span of each look into an empty queue.
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
      // A collector that is away must not keep the process from ending well.
      await provider.shutdown().catch((error: Error) => onProblem(error.message));
      diag.disable();
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
