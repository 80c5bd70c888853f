import type { Telemetry } from "bullmq";

/** Loads BullMQ's telemetry option; undefined when tracing is off. */
export async function telemetryOf(traced = false): Promise<{ readonly telemetry?: Telemetry }> {
  if (!traced) return {};
  const { BullMQOtel } = await import("bullmq-otel");
  return { telemetry: new BullMQOtel({ tracerName: "atelier" }) };
}
