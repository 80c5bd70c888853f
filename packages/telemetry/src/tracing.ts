import type { Attributes, Span } from "@opentelemetry/api";

type Api = typeof import("@opentelemetry/api");

/** OpenTelemetry, which only programs with tracing load. */
let api: Api | null = null;

/** Loads OpenTelemetry, so that the functions of this file record spans. */
export async function loadTracing(): Promise<Api> {
  api ??= await import("@opentelemetry/api");
  return api;
}

/** Ids, names and numbers; never a prompt, a key or a client's URL. */
export type SpanFacts = Attributes;

const tracerName = "atelier";

/**
 * Starts the span of a request, as part of the client's trace if it sent one (W3C Trace Context:
 * the headers `traceparent` and `tracestate`), and runs `handle` in it. All later work for the
 * request, including the jobs that it adds to the queue, belongs to the trace.
 *
 * @param end passed to `handle`; ends the span when the response was sent.
 */
export function traceRequest(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  handle: (
    end: (outcome: {
      /** Method and route template. */
      readonly name: string;
      readonly failed: boolean;
      readonly facts: SpanFacts;
    }) => void,
  ) => void,
): void {
  if (api === null) return handle(() => undefined);
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = trace.getTracer(tracerName).startSpan("request", { kind: SpanKind.SERVER }, parent);
  context.with(trace.setSpan(parent, span), () =>
    handle(({ name, failed, facts }) => {
      span.updateName(name);
      span.setAttributes(facts);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }),
  );
}

/** Runs work in a span of its own. */
export async function traceStep<Result>(
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (api === null) return work();
  const { SpanStatusCode, trace } = api;
  const span = trace.getTracer(tracerName).startSpan(name);
  try {
    return await work();
  } catch (error) {
    fail(span, error, SpanStatusCode.ERROR);
    throw error;
  } finally {
    span.end();
  }
}

/** Adds attributes to the current span, if there is one. */
export function addSpanFacts(facts: SpanFacts): void {
  api?.trace.getActiveSpan()?.setAttributes(facts);
}

/** The id that links log lines to their trace; null without tracing. */
export function currentTraceId(): string | null {
  const span = api?.trace.getActiveSpan();
  return span?.isRecording() === true ? span.spanContext().traceId : null;
}

/** The current context as `traceparent` (W3C Trace Context); null without one. */
export function currentTraceParent(): string | null {
  const carrier: Record<string, string> = {};
  api?.propagation.inject(api.context.active(), carrier);
  return carrier["traceparent"] ?? null;
}

/** Runs work as part of an earlier trace; null keeps the current context. */
export function withTraceParent<Result>(traceParent: string | null, work: () => Result): Result {
  if (traceParent === null || api === null) return work();
  const { context, propagation, ROOT_CONTEXT } = api;
  return context.with(propagation.extract(ROOT_CONTEXT, { traceparent: traceParent }), work);
}

/** Records the class of an error but not its message: database errors may contain stored values. */
function fail(span: Span, error: unknown, status: number): void {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  span.setStatus({ code: status });
  span.setAttributes({
    "error.type": name ?? "unknown",
    ...(typeof code === "string" ? { "atelier.code": code } : {}),
  });
}
