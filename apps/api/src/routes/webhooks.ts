import {
  createWebhook,
  deleteWebhook,
  failPendingDeliveries,
  findWebhook,
  listDeliveries,
  listWebhooks,
  maxWebhooks,
  queueTestDelivery,
  retryDelivery,
  rotateSecret,
  updateWebhook,
  type DeliveryInfo,
  type WebhookInfo,
} from "@atelier/events";
import { problemOfReceiverUrl } from "@atelier/guarded-fetch";
import {
  AppError,
  createWebhookRequest,
  describeProblems,
  listDeliveriesQuery,
  parseRequest,
  rotateSecretRequest,
  updateWebhookRequest,
  type Webhook,
  type WebhookDelivery,
} from "@atelier/schemas";
import express, { type Response, type Router } from "express";
import * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { requireScope } from "../http/authenticate.ts";
import { contextOf } from "../http/context.ts";
import { readBody, readOptionalBody } from "../http/read-body.ts";
import { refuseQuery } from "../http/refuse-query.ts";

/** `/v1/webhooks` and `/v1/deliveries`: for keys with the scope `manage`. */
export function serveWebhooks(dependencies: ApiDependencies): Router {
  const { config, database } = dependencies;
  const { KEY_PEPPER: pepper } = config;
  const router = express.Router();
  router.use(["/webhooks", "/deliveries"], requireScope("manage"));

  router.get("/webhooks/:id/deliveries", async (request, response) => {
    const { limit, cursor } = parseRequest(listDeliveriesQuery, request.query);
    const { id: webhookId } = await find(request.params["id"], response);
    const beforeId = cursor === undefined ? null : readCursor(cursor);
    const found = await listDeliveries(database, { webhookId, beforeId, limit: limit + 1 });
    const page = found.slice(0, limit);
    response.json({
      deliveries: page.map(presentDelivery),
      next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    });
  });
  router.use(["/webhooks", "/deliveries"], refuseQuery);

  router.get("/webhooks", async (_request, response) => {
    const webhooks = await listWebhooks(database, contextOf(response).caller.accountId);
    response.json({ webhooks: webhooks.map(presentWebhook) });
  });

  router.post("/webhooks", readBody, async (request, response) => {
    const { url, events, description = null } = parseRequest(createWebhookRequest, request.body);
    assertReceiver(url, dependencies);
    const { accountId } = contextOf(response).caller;
    const created = await createWebhook(database, { accountId, url, events, description, pepper });
    // Counted after the insert, so that concurrent requests cannot all pass the limit.
    if ((await listWebhooks(database, accountId)).length > maxWebhooks) {
      await deleteWebhook(database, created.id);
      throw tooManyWebhooks();
    }
    response.status(201).json({ ...(await read(created.id, response)), secret: created.secret });
  });

  router.get("/webhooks/:id", async (request, response) => {
    response.json(presentWebhook(await find(request.params["id"], response)));
  });

  router.patch("/webhooks/:id", readBody, async (request, response) => {
    const { url, events, description, enabled } = parseRequest(updateWebhookRequest, request.body);
    if (url !== undefined) assertReceiver(url, dependencies);
    const { id } = await find(request.params["id"], response);
    await updateWebhook(database, id, {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { isEnabled: enabled }),
    });
    if (enabled === false) await failPendingDeliveries(database, id);
    response.json(await read(id, response));
  });

  router.delete("/webhooks/:id", async (request, response) => {
    const webhook = await find(request.params["id"], response);
    await deleteWebhook(database, webhook.id);
    await failPendingDeliveries(database, webhook.id);
    response.json(presentWebhook(webhook));
  });

  router.post("/webhooks/:id/test", async (request, response) => {
    const webhook = await find(request.params["id"], response);
    if (webhook.disabledAt !== null) throw deliveryNotFound();
    response.status(202).json(presentDelivery(await queueTestDelivery(database, webhook.id)));
  });

  router.post("/webhooks/:id/rotate-secret", readOptionalBody, async (request, response) => {
    const { grace_hours } = parseRequest(rotateSecretRequest, request.body);
    const { id: webhookId } = await find(request.params["id"], response);
    const graceMs = grace_hours * 3_600_000;
    const secret = await rotateSecret(database, { webhookId, pepper, graceMs });
    response.json({ ...(await read(webhookId, response)), secret });
  });

  router.post("/deliveries/:id/retry", async (request, response) => {
    const deliveryId = z.uuid().safeParse(request.params["id"]);
    const { accountId } = contextOf(response).caller;
    const delivery = deliveryId.success
      ? await retryDelivery(database, { accountId, deliveryId: deliveryId.data })
      : null;
    if (delivery === null) throw deliveryNotFound();
    response.status(202).json(presentDelivery(delivery));
  });

  /** @throws AppError `webhook_not_found`, also for webhooks of other accounts. */
  async function find(id: unknown, response: Response): Promise<WebhookInfo> {
    const webhookId = z.uuid().safeParse(id);
    const { accountId } = contextOf(response).caller;
    const webhook = webhookId.success
      ? await findWebhook(database, { accountId, webhookId: webhookId.data })
      : null;
    if (webhook === null) throw webhookNotFound();
    return webhook;
  }

  /** Reads the current state of a webhook for the response. */
  async function read(webhookId: string, response: Response): Promise<Webhook> {
    return presentWebhook(await find(webhookId, response));
  }

  return router;
}

/** @throws AppError `invalid_request` for a URL that no request is sent to. */
function assertReceiver(url: string, { config }: Pick<ApiDependencies, "config">): void {
  const problem = problemOfReceiverUrl(url, config.WEBHOOK_PRIVATE_HOSTS);
  if (problem === null) return;
  const message = `must be a public HTTPS URL on port 443 without credentials (${problem})`;
  const problems = [{ path: "url", code: "invalid_format", message }];
  throw new AppError("invalid_request", describeProblems(problems), { details: problems });
}

/** Presents a webhook to the owner of its account, without its secret. */
export function presentWebhook(webhook: WebhookInfo): Webhook {
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    enabled: webhook.disabledAt === null,
    disabled_at: webhook.disabledAt?.toISOString() ?? null,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    dropped_deliveries: Number(webhook.droppedDeliveries),
    created_at: webhook.createdAt.toISOString(),
  };
}

function presentDelivery(delivery: DeliveryInfo): WebhookDelivery {
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

function tooManyWebhooks(): AppError {
  return new AppError(
    "too_many_webhooks",
    `The account has ${maxWebhooks} webhooks, which is the limit. Delete one that is not used any more.`,
    { details: { max_webhooks: maxWebhooks } },
  );
}
