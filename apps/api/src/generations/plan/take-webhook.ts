import {
  defaultWebhookEvents,
  invalidRequest,
  type GenerationPlan,
  type JobEventType,
} from "@atelier/schemas";

/** The part of a valid body that says where the events of its job are sent. */
interface WebhookBody {
  readonly webhook_url?: string | undefined;
  readonly webhook_events?: readonly JobEventType[] | undefined;
}

/**
 * Separates where the events of a job are sent from what is made.
 *
 * @throws AppError `invalid_request` for events without a URL.
 */
export function takeWebhook<Body extends object>(
  body: Body & WebhookBody,
): { readonly body: Body; readonly webhook: GenerationPlan["webhook"] } {
  const { webhook_url: url, webhook_events: events, ...rest } = body;
  if (url === undefined && events !== undefined) {
    throw invalidRequest({
      path: "webhook_events",
      code: "invalid_value",
      message: "must be absent without webhook_url",
    });
  }
  return {
    body: rest as Body,
    webhook: url === undefined ? undefined : { url, events: events ?? defaultWebhookEvents },
  };
}
