import * as z from "zod";
import { nextCursor, text } from "./fields.ts";
import { eventType } from "./events.ts";
import { keyMode } from "./keys.ts";

const timestamp = z.iso.datetime();

const url = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .meta({
    description: "Where events are sent: a public HTTPS URL on port 443.",
    examples: ["https://example.com/atelier"],
  });

const events = z
  .array(eventType)
  .min(1)
  .max(20)
  .transform((list) => [...new Set(list)])
  .meta({
    description: "The types of events that it receives. Events of jobs need the scope `read`.",
  });

const description = text.max(200).nullable().meta({ description: "Shown in lists." });

/** Body of `POST /v1/webhooks`. */
export const createWebhookRequest = z
  .strictObject({ url, events, description: description.optional() })
  .meta({ id: "CreateWebhookRequest" });
export type CreateWebhookRequest = z.infer<typeof createWebhookRequest>;

/** Body of `PATCH /v1/webhooks/{id}`: omitted properties stay unchanged. */
export const updateWebhookRequest = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    description: description.optional(),
    enabled: z.boolean().optional().meta({
      description: "False ends deliveries, and the pending ones fail; true starts with new events.",
    }),
  })
  .meta({ id: "UpdateWebhookRequest" });
export type UpdateWebhookRequest = z.infer<typeof updateWebhookRequest>;

/** Body of `POST /v1/webhooks/{id}/rotate-secret`. */
export const rotateSecretRequest = z
  .strictObject({
    grace_hours: z.number().min(0).max(168).default(24).meta({
      description: "How long deliveries are also signed with the old secret, in hours.",
    }),
  })
  .meta({ id: "RotateSecretRequest" });

/** Body of `POST /v1/account/webhook-secret`. */
export const accountSecretRequest = rotateSecretRequest
  .extend({
    mode: keyMode.optional().meta({
      description: "The mode of the keys whose requests it is for. Default: that of the key.",
    }),
  })
  .meta({ id: "AccountSecretRequest" });

/** Query of `GET /v1/account/webhook-secret`. */
export const accountSecretQuery = z.strictObject({
  mode: z.literal("test").default("test").meta({
    description: "Only the secret of test keys can be read; that of live keys is shown once.",
  }),
});

export const accountWebhookSecret = z
  .strictObject({
    mode: keyMode.meta({ description: "The mode of the keys whose requests it is for." }),
    secret: z.string().meta({
      description:
        "Verifies the signature of deliveries to the `webhook_url` of requests (Standard Webhooks). That of test keys begins with `whsec_test`; that of live keys is shown only once.",
    }),
    previous_valid_until: timestamp.nullable().meta({
      description: "Until then deliveries are also signed with the old secret. Null without one.",
    }),
  })
  .meta({ id: "AccountWebhookSecret" });

const webhookFields = {
  id: z.uuid(),
  key_id: z.uuid().nullable().meta({
    description:
      "The key that created it, with which it ends; null for webhooks from before it was recorded.",
  }),
  mode: keyMode.meta({
    description: "That of its key: it receives events of jobs of this mode only.",
  }),
  url: z.string(),
  events: z.array(eventType),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_at: timestamp.nullable().meta({
    description: "When it was disabled, or its key ended.",
  }),
  disabled_reason: z
    .enum(["account", "failing", "key_revoked", "key_expired", "key_not_permitted"])
    .nullable()
    .meta({
      description:
        "`account`: by a request. `failing`: after five days without a success. `key_revoked`, `key_expired`: its key has ended. `key_not_permitted`: its key has lost the scope `manage`, or `read` for events of jobs. Null while it is enabled.",
    }),
  failing_since: timestamp.nullable().meta({
    description:
      "Since when no delivery has succeeded; null after a success, and when none is pending.",
  }),
  dropped_deliveries: z.int().meta({
    description:
      "Deliveries that were dropped since its creation: pending for 24 hours, or the oldest beyond 100,000 pending ones.",
  }),
  created_at: timestamp,
};

export const webhook = z.strictObject(webhookFields).meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhook>;

export const webhookWithSecret = z
  .strictObject({
    ...webhookFields,
    secret: z.string().meta({
      description:
        "Verifies the signature of deliveries (Standard Webhooks). Shown only in this response.",
    }),
  })
  .meta({ id: "WebhookWithSecret" });

/** Query of `GET /v1/webhooks`. */
export const listWebhooksQuery = z.strictObject({
  kind: z.enum(["account", "request"]).default("account").meta({
    description:
      "`account`: those of `POST /v1/webhooks`. `request`: at most the 1,000 newest receivers of a `webhook_url` in the last ten days whose key is valid, without the query of the URL.",
  }),
});

export const webhookList = z
  .strictObject({ webhooks: z.array(webhook).meta({ description: "Newest first." }) })
  .meta({ id: "WebhookList" });

export const webhookDelivery = z
  .strictObject({
    id: z.uuid(),
    webhook_id: z.uuid(),
    event_id: z.string().meta({ description: "The `webhook-id` of the request." }),
    type: z.string().meta({ description: "The type of the event, or `webhook.test`." }),
    job_id: z.uuid().nullable(),
    status: z.enum(["pending", "delivered", "failed"]),
    attempts: z.int(),
    next_attempt_at: timestamp.nullable().meta({ description: "Null unless pending." }),
    last_attempt_at: timestamp.nullable(),
    response_status: z.int().nullable().meta({
      description: "The status of the last response; null without one.",
    }),
    error: z.string().nullable().meta({ description: "Why the last attempt failed." }),
    attempt_log: z
      .array(
        z.strictObject({
          at: timestamp,
          response_status: z.int().nullable().meta({ description: "Null without a response." }),
          error: z.string().nullable().meta({ description: "Null for a success." }),
        }),
      )
      .meta({ description: "The last 50 attempts, oldest first." }),
    created_at: timestamp,
  })
  .meta({ id: "WebhookDelivery", description: "One event for one webhook. Kept for 7 days." });
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const webhookDeliveryList = z
  .strictObject({
    deliveries: z.array(webhookDelivery).meta({ description: "Newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "WebhookDeliveryList" });

/** Query of `GET /v1/webhooks/{id}/deliveries`. */
export const listDeliveriesQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional().meta({ description: "`next_cursor` of the last page." }),
});
export type ListDeliveriesQuery = z.infer<typeof listDeliveriesQuery>;
