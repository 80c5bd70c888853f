import * as z from "zod";
import {
  createWebhookRequest,
  listDeliveriesQuery,
  listWebhooksQuery,
  rotateSecretRequest,
  updateWebhookRequest,
  webhook,
  webhookDelivery,
  webhookDeliveryList,
  webhookList,
  webhookWithSecret,
} from "../webhooks.ts";
import { endpoint, json } from "./endpoint.ts";
import { jobId } from "./samples.ts";

const tag = "Events";
const webhookId = "019a9f31-2b7c-7d10-9a41-6c8d2e3f4a52";
const deliveryId = "019a9f3c-6a1f-7b22-8c93-7d9e3f4a5b63";
const idOf = (kind: string, example: string) => ({
  id: z.uuid().meta({ description: `The id of a ${kind}.`, examples: [example] }),
});
const params = idOf("webhook", webhookId);

const sample = {
  id: webhookId,
  key_id: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41",
  mode: "live",
  url: "https://example.com/atelier",
  events: ["job.completed", "job.failed"],
  description: "Orders",
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  dropped_deliveries: 0,
  created_at: "2026-11-22T10:00:00.000Z",
};
const deliverySample = {
  id: deliveryId,
  webhook_id: webhookId,
  event_id: "evt_5120",
  type: "job.completed",
  job_id: jobId,
  status: "pending",
  attempts: 1,
  next_attempt_at: "2026-11-22T10:05:05.000Z",
  last_attempt_at: "2026-11-22T10:05:00.000Z",
  response_status: 503,
  error: "status 503",
  attempt_log: [{ at: "2026-11-22T10:05:00.000Z", response_status: 503, error: "status 503" }],
  created_at: "2026-11-22T10:05:00.000Z",
};

const one = (description: string) => json(description, webhook, { webhook: ["A webhook", sample] });
const withSecret = (description: string) =>
  json(description, webhookWithSecret, {
    webhook: [
      "A webhook with its secret",
      { ...sample, secret: "whsec_pZ0n1Q5Zz8m2Kc7e1y1XcZb3o6jJ0m1uK1Qy2w3E4r5=" },
    ],
  });
const delivery = json("The delivery.", webhookDelivery, {
  delivery: ["A delivery", deliverySample],
});
const deliveryPage = json("A page of deliveries.", webhookDeliveryList, {
  page: ["A page that is not the last", { deliveries: [deliverySample], next_cursor: deliveryId }],
});

export const listWebhooks = endpoint({
  id: "listWebhooks",
  route: "GET /v1/webhooks",
  tag,
  summary: "List webhooks",
  description: "The webhooks of the account. Needs the scope `manage`.",
  scope: ["manage"],
  query: listWebhooksQuery,
  results: {
    200: json("The webhooks.", webhookList, { webhooks: ["One webhook", { webhooks: [sample] }] }),
  },
});

export const createWebhook = endpoint({
  id: "createWebhook",
  route: "POST /v1/webhooks",
  tag,
  summary: "Create a webhook",
  description:
    "Sends events to a URL, as [Standard Webhooks](https://www.standardwebhooks.com) describes: `POST` with `{type, timestamp, data}` and the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. `data` is the job as it is when the event is sent, without text of its request: prompts, derived titles, names and messages of errors. Any 2xx within 10 seconds is a success; redirects are not followed. Events are delivered at least once, in order per job, and retried for 24 hours. A webhook without a success for five days is disabled. It belongs to the key that creates it, and ends with it. Needs the scope `manage`, and `read` for events of jobs.",
  scope: ["manage"],
  body: {
    schema: createWebhookRequest,
    examples: {
      request: [null, { url: sample.url, events: sample.events, description: sample.description }],
    },
  },
  results: { 201: withSecret("The webhook. Its secret is shown only in this response.") },
  errors: ["too_many_webhooks"],
});

export const readWebhook = endpoint({
  id: "readWebhook",
  route: "GET /v1/webhooks/{id}",
  tag,
  summary: "Read a webhook",
  description: "Needs the scope `manage`.",
  scope: ["manage"],
  params,
  results: { 200: one("The webhook.") },
  errors: ["webhook_not_found"],
});

export const updateWebhook = endpoint({
  id: "updateWebhook",
  route: "PATCH /v1/webhooks/{id}",
  tag,
  summary: "Change a webhook",
  description:
    "Changes what the body names. Needs the scope `manage`, `read` for events of jobs, and no fewer rights than the key of the webhook.",
  scope: ["manage"],
  params,
  body: { schema: updateWebhookRequest, examples: { request: [null, { enabled: true }] } },
  results: { 200: one("The webhook as it is now.") },
  errors: ["webhook_not_found"],
});

export const deleteWebhook = endpoint({
  id: "deleteWebhook",
  route: "DELETE /v1/webhooks/{id}",
  tag,
  summary: "Delete a webhook",
  description: "Its pending deliveries are not sent. Needs the scope `manage`.",
  scope: ["manage"],
  params,
  results: { 200: one("The deleted webhook.") },
  errors: ["webhook_not_found"],
});

export const testWebhook = endpoint({
  id: "testWebhook",
  route: "POST /v1/webhooks/{id}/test",
  tag,
  summary: "Send a test event",
  description:
    "Queues an event of type `webhook.test`. Its delivery shows the result. While one is pending, the response is that one. At most 10 a minute for each webhook. Needs the scope `manage`.",
  scope: ["manage"],
  params,
  results: { 202: delivery },
  errors: ["webhook_not_found", "delivery_not_found"],
});

export const rotateWebhookSecret = endpoint({
  id: "rotateWebhookSecret",
  route: "POST /v1/webhooks/{id}/rotate-secret",
  tag,
  summary: "Rotate the secret of a webhook",
  description:
    "Replaces the secret. For `grace_hours`, deliveries have signatures of both secrets. Needs the scope `manage`.",
  scope: ["manage"],
  params,
  body: {
    schema: rotateSecretRequest,
    examples: { request: [null, { grace_hours: 24 }] },
    isOptional: true,
  },
  results: { 200: withSecret("The webhook. Its secret is shown only in this response.") },
  errors: ["webhook_not_found"],
});

export const listDeliveries = endpoint({
  id: "listDeliveries",
  route: "GET /v1/webhooks/{id}/deliveries",
  tag,
  summary: "List deliveries",
  description: "The deliveries of the last 7 days, newest first. Needs the scope `manage`.",
  scope: ["manage"],
  params,
  query: listDeliveriesQuery,
  results: { 200: deliveryPage },
  errors: ["webhook_not_found"],
});

export const listJobDeliveries = endpoint({
  id: "listJobDeliveries",
  route: "GET /v1/jobs/{id}/deliveries",
  tag,
  summary: "List deliveries to the `webhook_url` of a job",
  description:
    "The deliveries of the events of a job to the `webhook_url` of its request, newest first. They are kept for 7 days.",
  scope: [],
  params: idOf("job", jobId),
  query: listDeliveriesQuery,
  results: { 200: deliveryPage },
  errors: ["job_not_found"],
});

export const retryDelivery = endpoint({
  id: "retryDelivery",
  route: "POST /v1/deliveries/{id}/retry",
  tag,
  summary: "Send an event again",
  description:
    "Queues a delivery again that has failed or succeeded, for another 24 hours. Each webhook is sent at most 60 again in a minute. Needs the scope `manage`.",
  scope: ["manage"],
  params: idOf("delivery", deliveryId),
  results: { 202: delivery },
  errors: ["delivery_not_found"],
});

/** `/v1/webhooks` and `/v1/deliveries`. */
export const webhookEndpoints = [
  listWebhooks,
  createWebhook,
  readWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listDeliveries,
  listJobDeliveries,
  retryDelivery,
] as const;
