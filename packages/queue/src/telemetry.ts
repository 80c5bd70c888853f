import type { Telemetry } from "bullmq";
import { BullMQOtel } from "bullmq-otel";

/** BullMQ's telemetry option; undefined when tracing is off. */
export function telemetryOf(traced = false): { readonly telemetry?: Telemetry } {
  return traced ? { telemetry: new BullMQOtel({ tracerName: "atelier" }) } : {};
}
