import {
  assertMayChange,
  assertMayEnd,
  assertMayReceive,
  makerOfWebhook,
  manage,
  type Caller,
  type Managing,
} from "@atelier/accounts";
import { newId } from "@atelier/database";
import {
  assertFewWebhooks,
  createWebhook,
  deleteWebhook,
  failPendingDeliveries,
  findWebhook,
  findWebhookOfDelivery,
  listDeliveries,
  listJobDeliveries,
  listReceivers,
  listWebhooks,
  maxTestsPerMinute,
  queueTestDelivery,
  retryDelivery,
  rotateSecret,
  updateWebhook,
  type WebhookInfo,
} from "@atelier/events";
import { jobNotFound } from "@atelier/generations/endings";
import { findGeneration } from "@atelier/generations/jobs";
import { AppError, type Webhook } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import { assertReceiver } from "../http/assert-receiver.ts";
import { applyLimit, limitExceeded } from "../http/limits/rate-limit.ts";
import { visibleTo } from "../http/permissions.ts";
import type { Policy } from "../http/policy.ts";
import type { Routes } from "../http/routes.ts";
import { presentDelivery, readDeliveries } from "./present-deliveries.ts";

const testPolicy: Policy = { policy: "webhook-test", perMinute: maxTestsPerMinute };

/** Deliveries of one webhook that may be sent again; higher than for tests, to recover from an outage. */
const retryPolicy: Policy = { policy: "webhook-retry", perMinute: 60 };

const options = { notFound: webhookNotFound };
const showing = {
  keyRefusal:
    "A secret is shown once, so its response can't be repeated. Omit the header; if a response was lost, find the webhook in GET /v1/webhooks, and delete it or rotate its secret.",
};
const sending = { keyRefusal: "Every request sends an event. Omit the header." };

/** `/v1/webhooks` and `/v1/deliveries`: for keys with the scope `manage`. */
export function serveWebhooks(
  routes: Routes,
  dependencies: Needs<"admissions" | "config" | "database">,
): void {
  const { admissions, config, database } = dependencies;
  const { KEY_PEPPER: pepper } = config;

  routes.add(
    endpoints.listDeliveries,
    async ({ caller, params, query }) => {
      const { id: webhookId } = await find(caller, params.id);
      return readDeliveries(query, (page) => listDeliveries(database, { ...page, webhookId }));
    },
    options,
  );

  routes.add(
    endpoints.listJobDeliveries,
    async ({ caller, params: { id: generationId }, query }) => {
      const owner = visibleTo(caller);
      const generation = await findGeneration(database, { ...owner, generationId });
      if (generation === null) throw jobNotFound();
      return readDeliveries(query, (page) =>
        listJobDeliveries(database, { ...page, generationId }),
      );
    },
    { notFound: jobNotFound },
  );

  routes.add(endpoints.listWebhooks, async ({ caller, query: { kind } }) => {
    const list = kind === "request" ? listReceivers : listWebhooks;
    const webhooks = await list(database, caller.accountId);
    return { webhooks: webhooks.filter((one) => isVisible(one, caller)).map(presentWebhook) };
  });

  routes.add(
    endpoints.createWebhook,
    async ({ caller, body: { url, events, description = null } }) => {
      assertReceiver(url, "url", dependencies);
      const id = newId();
      const { secret } = await manage(database, caller, async ({ sql, accountId, actor }) => {
        assertMayReceive(actor, events);
        const { keyId, mode } = actor;
        const settings = { url, events, description, pepper };
        const created = await createWebhook(sql, { ...settings, id, accountId, keyId, mode });
        await assertFewWebhooks(sql, { accountId, mode });
        return created;
      });
      return { ...presentWebhook(await find(caller, id)), secret };
    },
    showing,
  );

  routes.add(
    endpoints.readWebhook,
    async ({ caller, params }) => presentWebhook(await find(caller, params.id)),
    options,
  );

  routes.add(
    endpoints.updateWebhook,
    async ({ caller, params, body: { url, events, description, enabled } }) => {
      if (url !== undefined) assertReceiver(url, "url", dependencies);
      const found = await find(caller, params.id);
      const changed = await act("change", found, caller, async ({ sql, accountId, actor }) => {
        assertMayReceive(actor, events ?? found.events);
        await updateWebhook(sql, found.id, {
          ...(url !== undefined && { url }),
          ...(events !== undefined && { events }),
          ...(description !== undefined && { description }),
          ...(enabled !== undefined && { isEnabled: enabled }),
        });
        const now = await findWebhook(sql, { accountId, webhookId: found.id });
        if (now === null) throw webhookNotFound();
        if ((enabled === true || events !== undefined) && isEndedByKey(now)) throw keyHasEnded(now);
        if (enabled === false) await failPendingDeliveries(sql, found.id);
        return now;
      });
      return presentWebhook(changed);
    },
    options,
  );

  routes.add(
    endpoints.deleteWebhook,
    async ({ caller, params }) => {
      const webhook = await find(caller, params.id);
      await act("end", webhook, caller, async ({ sql }) => {
        await deleteWebhook(sql, webhook.id);
        await failPendingDeliveries(sql, webhook.id);
      });
      return presentWebhook(webhook);
    },
    options,
  );

  routes.add(
    endpoints.testWebhook,
    async ({ caller, params, response }) => {
      const webhook = await find(caller, params.id);
      if (webhook.disabledAt !== null) throw deliveryNotFound();
      const delivery = await act("end", webhook, caller, ({ sql }) =>
        queueTestDelivery(sql, webhook.id),
      );
      if (delivery === null) throw limitExceeded(testPolicy, response);
      return presentDelivery(delivery);
    },
    { ...options, ...sending },
  );

  routes.add(
    endpoints.rotateWebhookSecret,
    async ({ caller, params, body: { grace_hours } }) => {
      const found = await find(caller, params.id);
      const graceMs = grace_hours * 3_600_000;
      const secret = await act("change", found, caller, ({ sql }) =>
        rotateSecret(sql, { webhookId: found.id, mode: found.mode, pepper, graceMs }),
      );
      return { ...presentWebhook(await find(caller, found.id)), secret };
    },
    { ...options, ...showing },
  );

  routes.add(
    endpoints.retryDelivery,
    async ({ caller, params: { id: deliveryId }, response }) => {
      const target = { accountId: caller.accountId, deliveryId };
      const webhook = await findWebhookOfDelivery(database, target);
      if (webhook === null) throw deliveryNotFound();
      applyLimit(retryPolicy, await admissions.take(webhook.id, retryPolicy), response);
      const delivery = await act("end", webhook, caller, ({ sql }) => retryDelivery(sql, target));
      if (delivery === null) throw deliveryNotFound();
      return presentDelivery(delivery);
    },
    { notFound: deliveryNotFound, ...sending },
  );

  /**
   * Acts on a webhook with the rights between the caller and the key of the webhook.
   *
   * @param verb `change` for what would give the caller its events, `end` for the rest.
   * @throws AppError `key_not_permitted`.
   */
  function act<Result>(
    verb: "change" | "end",
    webhook: WebhookInfo,
    caller: Caller,
    work: (managing: Managing) => Promise<Result>,
  ): Promise<Result> {
    return manage(
      database,
      caller,
      (managing) => {
        const assertPermitted = verb === "change" ? assertMayChange : assertMayEnd;
        assertPermitted(managing.actor, makerOfWebhook(webhook, managing.target));
        return work(managing);
      },
      webhook.keyId,
    );
  }

  /** @throws AppError `webhook_not_found`, also for webhooks of other accounts. */
  async function find(caller: Caller, webhookId: string): Promise<WebhookInfo> {
    const webhook = await findWebhook(database, { accountId: caller.accountId, webhookId });
    if (webhook === null || !isVisible(webhook, caller)) throw webhookNotFound();
    return webhook;
  }
}

/** A test key sees only webhooks of test keys. */
function isVisible({ mode }: WebhookInfo, caller: Caller): boolean {
  return caller.mode === "live" || mode === "test";
}

/** Presents a webhook to the owner of its account, without its secret. */
export function presentWebhook(webhook: WebhookInfo): Webhook {
  return {
    id: webhook.id,
    key_id: webhook.keyId,
    mode: webhook.mode,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    enabled: webhook.disabledReason === null,
    disabled_at: webhook.disabledAt?.toISOString() ?? null,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    dropped_deliveries: Number(webhook.droppedDeliveries),
    created_at: webhook.createdAt.toISOString(),
  };
}

/** Whether a webhook ended with its key, or with a right of it. */
function isEndedByKey({ disabledReason }: WebhookInfo): boolean {
  return disabledReason?.startsWith("key_") ?? false;
}

function keyHasEnded({ disabledReason }: WebhookInfo): AppError {
  return new AppError(
    "key_not_permitted",
    "The key of this webhook has ended or lacks the scope that its events need. Create a new webhook with a key that has it.",
    { details: { disabled_reason: disabledReason } },
  );
}

function webhookNotFound(): AppError {
  return new AppError(
    "webhook_not_found",
    "The account has no such webhook. GET /v1/webhooks lists its webhooks with their ids.",
  );
}

function deliveryNotFound(): AppError {
  return new AppError(
    "delivery_not_found",
    "The account has no such delivery, or its webhook is disabled. GET /v1/webhooks/{id}/deliveries lists deliveries.",
  );
}
