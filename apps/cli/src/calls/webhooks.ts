import type { EventType, Webhook, WebhookDelivery } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import { eventTypes } from "@atelier/schemas";
import { properties, table, withSecret, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";

export interface WebhookFlags {
  readonly events?: readonly EventType[];
  readonly description?: string;
}

export interface UpdateWebhookFlags extends WebhookFlags {
  readonly to?: string;
  readonly enable?: boolean;
  readonly disable?: boolean;
}

export interface ListWebhooksFlags {
  readonly requests?: boolean;
}

export async function list(
  { atelier, follow }: Caller,
  { requests = false }: ListWebhooksFlags,
): Promise<Answer> {
  const kind = requests ? "request" : "account";
  const webhooks = await atelier.webhooks.list({ kind, signal: follow.signal });
  const rows = webhooks.map((one) => [one.id, one.url, statusOf(one), one.events.join(",")]);
  return { json: { webhooks }, text: table(["ID", "URL", "STATUS", "EVENTS"], rows) };
}

export async function create(
  { atelier, follow }: Caller,
  url: string,
  { events = eventTypes, description }: WebhookFlags,
): Promise<Answer> {
  const request = { url, events: [...events], ...(description !== undefined && { description }) };
  const webhook = await atelier.webhooks.create(request, { signal: follow.signal });
  return withSecret(describe(webhook), webhook.secret);
}

/** @throws UsageError without a change. */
export async function update(
  { atelier, follow }: Caller,
  webhookId: string,
  { to, events, description, enable, disable }: UpdateWebhookFlags,
): Promise<Answer> {
  if (enable === true && disable === true) throw new UsageError("Pass --enable or --disable.");
  const request = {
    ...(to !== undefined && { url: to }),
    ...(events !== undefined && { events: [...events] }),
    ...(description !== undefined && { description }),
    ...(enable === true && { enabled: true }),
    ...(disable === true && { enabled: false }),
  };
  if (Object.keys(request).length === 0) {
    throw new UsageError(
      "Nothing to change. Pass --to, --events, --description, --enable or --disable.",
    );
  }
  return describe(await atelier.webhooks.update(webhookId, request, { signal: follow.signal }));
}

export async function remove({ atelier, follow }: Caller, webhookId: string): Promise<Answer> {
  return describe(await atelier.webhooks.delete(webhookId, { signal: follow.signal }));
}

export async function test({ atelier, follow }: Caller, webhookId: string): Promise<Answer> {
  const delivery = await atelier.webhooks.test(webhookId, { signal: follow.signal });
  return {
    json: delivery,
    text: `Queued ${delivery.id}. See its result with: atelier webhooks deliveries ${webhookId}`,
  };
}

export async function rotateSecret(
  { atelier, follow }: Caller,
  webhookId: string,
  graceHours: number,
): Promise<Answer> {
  const { signal } = follow;
  const webhook = await atelier.webhooks.rotateSecret(webhookId, { graceHours, signal });
  return withSecret(describe(webhook), webhook.secret);
}

/** Makes the secret that signs deliveries to the `webhook_url` of requests, or replaces it. */
export async function createRequestSecret(
  { atelier, follow }: Caller,
  graceHours: number,
): Promise<Answer> {
  const { signal } = follow;
  const made = await atelier.account.createWebhookSecret({ graceHours, signal });
  const until = made.previous_valid_until;
  const text =
    until === null ? "The account had no secret." : `The old secret signs until ${until}.`;
  return withSecret({ json: made, text }, made.secret);
}

/** Reads the secret that signs deliveries to the `webhook_url` of requests of test keys. */
export async function readTestSecret({ atelier, follow }: Caller): Promise<Answer> {
  const read = await atelier.account.getTestWebhookSecret({ signal: follow.signal });
  return { json: read, text: read.secret };
}

/** The columns of deliveries. */
export const deliveryColumns = {
  ID: "id",
  TYPE: "type",
  STATUS: "status",
  ATTEMPTS: "attempts",
  ERROR: ({ error }: WebhookDelivery) => error,
  CREATED: "created_at",
} as const;

export async function retry({ atelier, follow }: Caller, deliveryId: string): Promise<Answer> {
  const delivery: WebhookDelivery = await atelier.webhooks.retry(deliveryId, {
    signal: follow.signal,
  });
  return { json: delivery, text: `Queued ${delivery.id} again.` };
}

function describe(webhook: Webhook): Answer {
  const text = properties([
    ["Webhook", webhook.id],
    ["URL", webhook.url],
    ["Events", webhook.events.join(", ")],
    ["Status", statusOf(webhook)],
  ]);
  return { json: webhook, text };
}

function statusOf({ enabled, disabled_reason, failing_since }: Webhook): string {
  if (!enabled) return disabled_reason === "account" ? "disabled" : `disabled: ${disabled_reason}`;
  return failing_since === null ? "enabled" : `failing since ${failing_since}`;
}
