import { pathSegment, withQuery } from "./addresses.ts";
import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import { readJson } from "./transport.ts";
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookWithSecret,
} from "./types.ts";

/** Webhooks of the account; the client's key needs the scope `manage`. */
export interface Webhooks {
  list(options?: CallOptions): Promise<readonly Webhook[]>;
  /** Creates a webhook. Its `secret` is returned only here. */
  create(request: CreateWebhookRequest, options?: CallOptions): Promise<WebhookWithSecret>;
  update(webhookId: string, request: UpdateWebhookRequest, options?: CallOptions): Promise<Webhook>;
  delete(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /** Queues an event of type `webhook.test`. */
  test(webhookId: string, options?: CallOptions): Promise<WebhookDelivery>;
  /**
   * Replaces the secret.
   *
   * @param options.graceHours how long deliveries are also signed with the old one. Default: 24.
   */
  rotateSecret(
    webhookId: string,
    options?: CallOptions & { readonly graceHours?: number | undefined },
  ): Promise<WebhookWithSecret>;
  /** Returns a page of deliveries, newest first. */
  deliveries(
    webhookId: string,
    query?: { readonly limit?: number; readonly cursor?: string },
    options?: CallOptions,
  ): Promise<WebhookDeliveryList>;
  /** Queues a delivery again. */
  retry(deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>;
}

export function createWebhooks(api: Api): Webhooks {
  const path = (webhookId: string) => `/v1/webhooks/${pathSegment("webhookId", webhookId)}`;
  return {
    async list(options) {
      const { webhooks } = await api.getJson<WebhookList>("/v1/webhooks", options);
      return webhooks;
    },
    create: (request, options) =>
      api.post("/v1/webhooks", request, readJson<WebhookWithSecret>, { ...options, once: true }),
    update: async (webhookId, request, options) =>
      api.patchJson<Webhook>(path(webhookId), request, options),
    delete: async (webhookId, options) => api.deleteJson<Webhook>(path(webhookId), options),
    test: async (webhookId, options) =>
      api.post(`${path(webhookId)}/test`, {}, readJson<WebhookDelivery>, options),
    rotateSecret: async (webhookId, { graceHours, signal } = {}) =>
      api.post(
        `${path(webhookId)}/rotate-secret`,
        graceHours === undefined ? {} : { grace_hours: graceHours },
        readJson<WebhookWithSecret>,
        { signal, once: true },
      ),
    deliveries: async (webhookId, query = {}, options) =>
      api.getJson<WebhookDeliveryList>(withQuery(`${path(webhookId)}/deliveries`, query), options),
    retry: async (deliveryId, options) =>
      api.post(
        `/v1/deliveries/${pathSegment("deliveryId", deliveryId)}/retry`,
        {},
        readJson<WebhookDelivery>,
        options,
      ),
  };
}
