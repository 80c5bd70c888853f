import type { Telemetry } from "bullmq";
import { BullMQOtel } from "bullmq-otel";

/** The option by which BullMQ's classes take part in traces; none where they shall not. */
export function telemetryOf(traced = false): { readonly telemetry?: Telemetry } {
  return traced ? { telemetry: new BullMQOtel({ tracerName: "atelier" }) } : {};
}
