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
  listReceivers,
  listWebhooks,
  maxTestsPerMinute,
  queueTestDelivery,
  retryDelivery,
  rotateSecret,
  updateWebhook,
  type WebhookInfo,
} from "@atelier/events";
import {
  AppError,
  createWebhookRequest,
  listDeliveriesQuery,
  listWebhooksQuery,
  parseRequest,
  rotateSecretRequest,
  updateWebhookRequest,
  type Webhook,
} from "@atelier/schemas";
import type { Response } from "express";
import * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { assertReceiver } from "../http/assert-receiver.ts";
import { readBody, readOptionalBody } from "../http/body/read-body.ts";
import { contextOf } from "../http/context.ts";
import { applyLimit, limitExceeded } from "../http/limits/rate-limit.ts";
import type { Policy } from "../http/policy.ts";
import type { Routes } from "../http/routes.ts";
import { presentDelivery, readDeliveries } from "./present-deliveries.ts";

const testPolicy: Policy = { policy: "webhook-test", perMinute: maxTestsPerMinute };

/** Deliveries of one webhook that may be sent again; higher than for tests, to recover from an outage. */
const retryPolicy: Policy = { policy: "webhook-retry", perMinute: 60 };

/** `/v1/webhooks` and `/v1/deliveries`: for keys with the scope `manage`. */
export function serveWebhooks(routes: Routes, dependencies: ApiDependencies): void {
  const { admissions, config, database } = dependencies;
  const { KEY_PEPPER: pepper } = config;
  const policy = { limit: "other", scope: "manage" } as const;
  const showing = {
    ...policy,
    keyRefusal:
      "A secret is shown once, so its response can't be repeated. Omit the header; if a response was lost, find the webhook in GET /v1/webhooks, and delete it or rotate its secret.",
  };
  const sending = { ...policy, keyRefusal: "Every request sends an event. Omit the header." };

  const listing = { ...policy, query: listDeliveriesQuery };
  routes.get("/webhooks/:id/deliveries", listing, async (request, response, query) => {
    const { id: webhookId } = await find(request.params["id"], response);
    response.json(
      await readDeliveries(query, (page) => listDeliveries(database, { ...page, webhookId })),
    );
  });

  const listed = { ...policy, query: listWebhooksQuery };
  routes.get("/webhooks", listed, async (_request, response, { kind }) => {
    const { caller } = contextOf(response);
    const list = kind === "request" ? listReceivers : listWebhooks;
    const webhooks = await list(database, caller.accountId);
    response.json({
      webhooks: webhooks.filter((one) => isVisible(one, caller)).map(presentWebhook),
    });
  });

  routes.post("/webhooks", { ...showing, body: readBody }, async (request, response) => {
    const { url, events, description = null } = parseRequest(createWebhookRequest, request.body);
    assertReceiver(url, "url", dependencies);
    const id = newId();
    const { secret } = await manage(
      database,
      contextOf(response).caller,
      async ({ sql, accountId, actor }) => {
        assertMayReceive(actor, events);
        const settings = { url, events, description, pepper };
        const created = await createWebhook(sql, {
          ...settings,
          id,
          accountId,
          keyId: actor.keyId,
          mode: actor.mode,
        });
        await assertFewWebhooks(sql, { accountId, mode: actor.mode });
        return created;
      },
    );
    response.status(201).json({ ...(await read(id, response)), secret });
  });

  routes.get("/webhooks/:id", policy, async (request, response) => {
    response.json(presentWebhook(await find(request.params["id"], response)));
  });

  routes.patch("/webhooks/:id", { ...policy, body: readBody }, async (request, response) => {
    const { url, events, description, enabled } = parseRequest(updateWebhookRequest, request.body);
    if (url !== undefined) assertReceiver(url, "url", dependencies);
    const found = await find(request.params["id"], response);
    const changed = await act("change", found, response, async ({ sql, accountId, actor }) => {
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
    response.json(presentWebhook(changed));
  });

  routes.delete("/webhooks/:id", policy, async (request, response) => {
    const webhook = await find(request.params["id"], response);
    await act("end", webhook, response, async ({ sql }) => {
      await deleteWebhook(sql, webhook.id);
      await failPendingDeliveries(sql, webhook.id);
    });
    response.json(presentWebhook(webhook));
  });

  routes.post("/webhooks/:id/test", sending, async (request, response) => {
    const webhook = await find(request.params["id"], response);
    if (webhook.disabledAt !== null) throw deliveryNotFound();
    const delivery = await act("end", webhook, response, ({ sql }) =>
      queueTestDelivery(sql, webhook.id),
    );
    if (delivery === null) throw limitExceeded(testPolicy, response);
    response.status(202).json(presentDelivery(delivery));
  });

  routes.post(
    "/webhooks/:id/rotate-secret",
    { ...showing, body: readOptionalBody },
    async (request, response) => {
      const { grace_hours } = parseRequest(rotateSecretRequest, request.body);
      const found = await find(request.params["id"], response);
      const graceMs = grace_hours * 3_600_000;
      const secret = await act("change", found, response, ({ sql }) =>
        rotateSecret(sql, { webhookId: found.id, mode: found.mode, pepper, graceMs }),
      );
      response.json({ ...(await read(found.id, response)), secret });
    },
  );

  routes.post("/deliveries/:id/retry", sending, async (request, response) => {
    const id = z.uuid().safeParse(request.params["id"]);
    if (!id.success) throw deliveryNotFound();
    const target = { accountId: contextOf(response).caller.accountId, deliveryId: id.data };
    const webhook = await findWebhookOfDelivery(database, target);
    if (webhook === null) throw deliveryNotFound();
    applyLimit(retryPolicy, await admissions.take(webhook.id, retryPolicy), response);
    const delivery = await act("end", webhook, response, ({ sql }) => retryDelivery(sql, target));
    if (delivery === null) throw deliveryNotFound();
    response.status(202).json(presentDelivery(delivery));
  });

  /**
   * Acts on a webhook with the rights between the caller and the key of the webhook.
   *
   * @param verb `change` for what would give the caller its events, `end` for the rest.
   * @throws AppError `key_not_permitted`.
   */
  function act<Result>(
    verb: "change" | "end",
    webhook: WebhookInfo,
    response: Response,
    work: (managing: Managing) => Promise<Result>,
  ): Promise<Result> {
    const { caller } = contextOf(response);
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
  async function find(id: unknown, response: Response): Promise<WebhookInfo> {
    const webhookId = z.uuid().safeParse(id);
    const { caller } = contextOf(response);
    const { accountId } = caller;
    const webhook = webhookId.success
      ? await findWebhook(database, { accountId, webhookId: webhookId.data })
      : null;
    if (webhook === null || !isVisible(webhook, caller)) throw webhookNotFound();
    return webhook;
  }

  /** Reads the current state of a webhook for the response. */
  async function read(webhookId: string, response: Response): Promise<Webhook> {
    return presentWebhook(await find(webhookId, response));
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
