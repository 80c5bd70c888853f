import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookWithSecret,
} from "./types.ts";

/** Webhooks of the account; the client's key needs the scope `manage`. */
export interface Webhooks {
  /**
   * Lists the webhooks, newest first.
   *
   * @param options.kind `request` for the receivers of the `webhook_url` of requests. Default: `account`.
   *
   * @example
   * ```ts
   * const webhooks = await atelier.webhooks.list();
   * console.log(webhooks.map(({ id, url }) => [id, url]));
   * ```
   */
  list(
    options?: CallOptions & { readonly kind?: "account" | "request" },
  ): Promise<readonly Webhook[]>;
  /**
   * Creates a webhook. Its `secret` is returned only here.
   *
   * @example
   * ```ts
   * const { id, secret } = await atelier.webhooks.create({
   *   url: "https://example.com/atelier",
   *   events: ["job.completed", "job.failed"],
   * });
   * ```
   */
  create(request: CreateWebhookRequest, options?: CallOptions): Promise<WebhookWithSecret>;
  /**
   * Changes the settings that the request names; others stay.
   *
   * @example
   * ```ts
   * await atelier.webhooks.update(webhookId, { events: ["job.completed"] });
   * ```
   */
  update(webhookId: string, request: UpdateWebhookRequest, options?: CallOptions): Promise<Webhook>;
  /**
   * Deletes a webhook. Its pending deliveries are not sent.
   *
   * @example
   * ```ts
   * await atelier.webhooks.delete(webhookId);
   * ```
   */
  delete(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /**
   * Queues an event of type `webhook.test`.
   *
   * @example
   * ```ts
   * const { status } = await atelier.webhooks.test(webhookId);
   * console.log(status);
   * ```
   */
  test(webhookId: string, options?: CallOptions): Promise<WebhookDelivery>;
  /**
   * Replaces the secret.
   *
   * @param options.graceHours how long deliveries are also signed with the old one, at most 168.
   *   Default: 24. With 0, a receiver that does not know the new secret yet refuses deliveries.
   *
   * @example
   * ```ts
   * const { secret } = await atelier.webhooks.rotateSecret(webhookId, { graceHours: 1 });
   * ```
   */
  rotateSecret(
    webhookId: string,
    options?: CallOptions & { readonly graceHours?: number | undefined },
  ): Promise<WebhookWithSecret>;
  /**
   * Returns a page of deliveries, newest first.
   *
   * @example
   * ```ts
   * const { deliveries } = await atelier.webhooks.deliveries(webhookId, { limit: 50 });
   * console.log(deliveries.map(({ type, status }) => [type, status]));
   * ```
   */
  deliveries(
    webhookId: string,
    query?: {
      /** 1 to 100. Default: 20. */
      readonly limit?: number;
      /** `next_cursor` of the previous page. Default: the first page. */
      readonly cursor?: string;
    },
    options?: CallOptions,
  ): Promise<WebhookDeliveryList>;
  /**
   * Queues a delivery again, for another 24 hours.
   *
   * @example
   * ```ts
   * await atelier.webhooks.retry(deliveryId);
   * ```
   */
  retry(deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>;
}

export function createWebhooks({ call }: Api): Webhooks {
  return {
    async list({ kind, ...options } = {}) {
      const { webhooks } = await call("GET /v1/webhooks", { query: { kind }, ...options });
      return webhooks;
    },
    create: (body, options) => call("POST /v1/webhooks", { body, ...options, once: true }),
    update: (webhookId, body, options) =>
      call("PATCH /v1/webhooks/{id}", { params: { webhookId }, body, ...options }),
    delete: (webhookId, options) =>
      call("DELETE /v1/webhooks/{id}", { params: { webhookId }, ...options }),
    test: (webhookId, options) =>
      call("POST /v1/webhooks/{id}/test", { params: { webhookId }, ...options }),
    rotateSecret: (webhookId, { graceHours, signal } = {}) =>
      call("POST /v1/webhooks/{id}/rotate-secret", {
        params: { webhookId },
        body: { grace_hours: graceHours },
        signal,
        once: true,
      }),
    deliveries: (webhookId, query, options) =>
      call("GET /v1/webhooks/{id}/deliveries", { params: { webhookId }, query, ...options }),
    retry: (deliveryId, options) =>
      call("POST /v1/deliveries/{id}/retry", { params: { deliveryId }, ...options }),
  };
}
