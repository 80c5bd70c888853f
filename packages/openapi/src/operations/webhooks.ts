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
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { jobId } from "@atelier/schemas/endpoints";
import { examples, jsonResponse } from "./responses.ts";

const tags = ["Events"];
const webhookId = "019a9f31-2b7c-7d10-9a41-6c8d2e3f4a52";
const deliveryId = "019a9f3c-6a1f-7b22-8c93-7d9e3f4a5b63";
const webhookPath = z.strictObject({
  id: z.uuid().meta({ description: "The id of a webhook.", examples: [webhookId] }),
});
const jobPath = z.strictObject({
  id: z.uuid().meta({ description: "The id of a job.", examples: [jobId] }),
});
const deliveryPath = z.strictObject({
  id: z.uuid().meta({ description: "The id of a delivery.", examples: [deliveryId] }),
});

const sample = {
  id: webhookId,
  key_id: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41",
  mode: "live" as const,
  url: "https://example.com/atelier",
  events: ["job.completed" as const, "job.failed" as const],
  description: "Orders",
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  dropped_deliveries: 0,
  created_at: "2026-11-22T10:00:00.000Z",
};
const withSecretSample = {
  ...sample,
  secret: "whsec_pZ0n1Q5Zz8m2Kc7e1y1XcZb3o6jJ0m1uK1Qy2w3E4r5=",
};
const deliverySample = {
  id: deliveryId,
  webhook_id: webhookId,
  event_id: "evt_5120",
  type: "job.completed",
  job_id: jobId,
  status: "pending" as const,
  attempts: 1,
  next_attempt_at: "2026-11-22T10:05:05.000Z",
  last_attempt_at: "2026-11-22T10:05:00.000Z",
  response_status: 503,
  error: "status 503",
  attempt_log: [{ at: "2026-11-22T10:05:00.000Z", response_status: 503, error: "status 503" }],
  created_at: "2026-11-22T10:05:00.000Z",
};

const body = (schema: z.ZodType, example: object) => ({
  content: { "application/json": { schema, examples: { request: { value: example } } } },
});
const one = (description: string) =>
  jsonResponse(
    description,
    { schema: webhook, examples: examples({ webhook: ["A webhook", sample] }) },
    rateHeaders,
  );
const withSecret = (description: string) =>
  jsonResponse(
    description,
    {
      schema: webhookWithSecret,
      examples: examples({ webhook: ["A webhook with its secret", withSecretSample] }),
    },
    rateHeaders,
  );
const delivery = (description: string) =>
  jsonResponse(
    description,
    { schema: webhookDelivery, examples: examples({ delivery: ["A delivery", deliverySample] }) },
    rateHeaders,
  );

const deliveryPage = jsonResponse(
  "A page of deliveries.",
  {
    schema: webhookDeliveryList,
    examples: examples({
      page: [
        "A page that is not the last",
        { deliveries: [deliverySample], next_cursor: deliveryId },
      ],
    }),
  },
  rateHeaders,
);

const parameters = parameterReferences(["RequestId"]);
const bodyErrors = [...keyedErrors, "request_too_large", "unsupported_media_type"] as const;
const webhookErrors = [...keyedErrors, "webhook_not_found"] as const;

/** `/v1/webhooks` and `/v1/deliveries`. */
export function webhookOperations(): ZodOpenApiPathsObject {
  return {
    "/v1/webhooks": {
      get: {
        operationId: "listWebhooks",
        tags,
        summary: "List webhooks",
        description: "The webhooks of the account. Needs the scope `manage`.",
        parameters,
        requestParams: { query: listWebhooksQuery },
        responses: {
          "200": jsonResponse(
            "The webhooks.",
            {
              schema: webhookList,
              examples: examples({ webhooks: ["One webhook", { webhooks: [sample] }] }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
      post: {
        operationId: "createWebhook",
        tags,
        summary: "Create a webhook",
        description:
          "Sends events to a URL, as [Standard Webhooks](https://www.standardwebhooks.com) describes: `POST` with `{type, timestamp, data}` and the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. `data` is the job as it is when the event is sent, without text of its request: prompts, derived titles, names and messages of errors. Any 2xx within 10 seconds is a success; redirects are not followed. Events are delivered at least once, in order per job, and retried for 24 hours. A webhook without a success for five days is disabled. It belongs to the key that creates it, and ends with it. Needs the scope `manage`, and `read` for events of jobs.",
        parameters,
        requestBody: body(createWebhookRequest, {
          url: sample.url,
          events: sample.events,
          description: sample.description,
        }),
        responses: {
          "201": withSecret("The webhook. Its secret is shown only in this response."),
          ...errorResponses([...bodyErrors, "too_many_webhooks"], "keyed"),
        },
      },
    },
    "/v1/webhooks/{id}": {
      get: {
        operationId: "readWebhook",
        tags,
        summary: "Read a webhook",
        description: "Needs the scope `manage`.",
        requestParams: { path: webhookPath },
        parameters,
        responses: { "200": one("The webhook."), ...errorResponses(webhookErrors, "keyed") },
      },
      patch: {
        operationId: "updateWebhook",
        tags,
        summary: "Change a webhook",
        description:
          "Changes what the body names. Needs the scope `manage`, `read` for events of jobs, and no fewer rights than the key of the webhook.",
        requestParams: { path: webhookPath },
        parameters,
        requestBody: body(updateWebhookRequest, { enabled: true }),
        responses: {
          "200": one("The webhook as it is now."),
          ...errorResponses([...bodyErrors, "webhook_not_found"], "keyed"),
        },
      },
      delete: {
        operationId: "deleteWebhook",
        tags,
        summary: "Delete a webhook",
        description: "Its pending deliveries are not sent. Needs the scope `manage`.",
        requestParams: { path: webhookPath },
        parameters,
        responses: {
          "200": one("The deleted webhook."),
          ...errorResponses(webhookErrors, "keyed"),
        },
      },
    },
    "/v1/webhooks/{id}/test": {
      post: {
        operationId: "testWebhook",
        tags,
        summary: "Send a test event",
        description:
          "Queues an event of type `webhook.test`. Its delivery shows the result. While one is pending, the response is that one. At most 10 a minute for each webhook. Needs the scope `manage`.",
        requestParams: { path: webhookPath },
        parameters,
        responses: {
          "202": delivery("The delivery."),
          ...errorResponses([...webhookErrors, "delivery_not_found"], "keyed"),
        },
      },
    },
    "/v1/webhooks/{id}/rotate-secret": {
      post: {
        operationId: "rotateWebhookSecret",
        tags,
        summary: "Rotate the secret of a webhook",
        description:
          "Replaces the secret. For `grace_hours`, deliveries have signatures of both secrets. Needs the scope `manage`.",
        requestParams: { path: webhookPath },
        parameters,
        requestBody: body(rotateSecretRequest, { grace_hours: 24 }),
        responses: {
          "200": withSecret("The webhook. Its secret is shown only in this response."),
          ...errorResponses([...bodyErrors, "webhook_not_found"], "keyed"),
        },
      },
    },
    "/v1/webhooks/{id}/deliveries": {
      get: {
        operationId: "listDeliveries",
        tags,
        summary: "List deliveries",
        description: "The deliveries of the last 7 days, newest first. Needs the scope `manage`.",
        requestParams: { path: webhookPath, query: listDeliveriesQuery },
        parameters,
        responses: {
          "200": deliveryPage,
          ...errorResponses(webhookErrors, "keyed"),
        },
      },
    },
    "/v1/jobs/{id}/deliveries": {
      get: {
        operationId: "listJobDeliveries",
        tags,
        summary: "List deliveries to the `webhook_url` of a job",
        description:
          "The deliveries of the events of a job to the `webhook_url` of its request, newest first. They are kept for 7 days.",
        requestParams: { path: jobPath, query: listDeliveriesQuery },
        parameters,
        responses: {
          "200": deliveryPage,
          ...errorResponses([...keyedErrors, "job_not_found"], "keyed"),
        },
      },
    },
    "/v1/deliveries/{id}/retry": {
      post: {
        operationId: "retryDelivery",
        tags,
        summary: "Send an event again",
        description:
          "Queues a delivery again that has failed or succeeded, for another 24 hours. Each webhook is sent at most 60 again in a minute. Needs the scope `manage`.",
        requestParams: { path: deliveryPath },
        parameters,
        responses: {
          "202": delivery("The delivery."),
          ...errorResponses([...keyedErrors, "delivery_not_found"], "keyed"),
        },
      },
    },
  };
}
