import type { DeliveryInfo } from "@atelier/events";
import {
  AppError,
  type ListDeliveriesQuery,
  type WebhookDelivery,
  type webhookDeliveryList,
} from "@atelier/schemas";
import * as z from "zod";

/** Reads a page of deliveries. */
export async function readDeliveries(
  { limit, cursor }: ListDeliveriesQuery,
  read: (page: { beforeId: string | null; limit: number }) => Promise<DeliveryInfo[]>,
): Promise<z.infer<typeof webhookDeliveryList>> {
  const beforeId = cursor === undefined ? null : readCursor(cursor);
  const found = await read({ beforeId, limit: limit + 1 });
  const page = found.slice(0, limit);
  return {
    deliveries: page.map(presentDelivery),
    next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

export function presentDelivery(delivery: DeliveryInfo): WebhookDelivery {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: `evt_${delivery.eventId}`,
    type: delivery.type,
    job_id: delivery.generationId,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.status === "pending" ? delivery.nextAttemptAt.toISOString() : null,
    last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
    response_status: delivery.responseStatus,
    error: delivery.error,
    attempt_log: delivery.attemptLog.map(({ at, ...outcome }) => ({
      at: new Date(at).toISOString(),
      ...outcome,
    })),
    created_at: delivery.createdAt.toISOString(),
  };
}

function readCursor(cursor: string): string {
  const parsed = z.uuid().safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_request", "cursor must be a next_cursor of an earlier page.", {
    details: [{ path: "cursor", code: "invalid_format", message: "not a cursor" }],
  });
}
