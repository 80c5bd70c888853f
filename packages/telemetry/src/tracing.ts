import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from "@opentelemetry/api";

/** Ids, names and numbers: never a prompt, a key or a URL of a client. */
export type SpanFacts = Attributes;

const tracerName = "atelier";

/**
 * Begins the span of a request that a client may have put into a trace of its own (W3C Trace
 * Context: the headers `traceparent` and `tracestate`), and runs `handle` in it. Everything that is
 * done for the request afterwards, the jobs that it adds to the queue included, belongs to the trace.
 *
 * @param end passed to `handle`; ends the span when the request is answered.
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

/** Does a piece of work in a span of its own. */
export async function traceStep<Result>(
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = trace.getTracer(tracerName).startSpan(name);
  try {
    return await work();
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Adds to the span that is under way, if there is one. */
export function addSpanFacts(facts: SpanFacts): void {
  trace.getActiveSpan()?.setAttributes(facts);
}

/** The id by which a log line and its trace find each other; null where nothing is traced. */
export function currentTraceId(): string | null {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span.spanContext().traceId : null;
}

/** The context that is under way as `traceparent` (W3C Trace Context); null where there is none. */
export function currentTraceParent(): string | null {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier["traceparent"] ?? null;
}

/** Runs work as a part of an earlier trace; null leaves it where it is. */
export function withTraceParent<Result>(traceParent: string | null, work: () => Result): Result {
  if (traceParent === null) return work();
  return context.with(propagation.extract(ROOT_CONTEXT, { traceparent: traceParent }), work);
}

/** The kind of an error is told, never its message: that of a database may repeat what was stored. */
function fail(span: Span, error: unknown): void {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttributes({
    "error.type": name ?? "unknown",
    ...(typeof code === "string" ? { "atelier.code": code } : {}),
  });
}
