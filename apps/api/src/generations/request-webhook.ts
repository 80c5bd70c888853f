import type { Caller } from "@atelier/accounts";
import { findReceiver, maxReceivers } from "@atelier/events";
import type { RequestWebhook } from "@atelier/generations";
import { AppError, type GenerationPlan } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";
import { assertReceiver } from "../http/assert-receiver.ts";

/**
 * Finds the receiver of the events of a request; null without a `webhook_url`.
 *
 * @throws AppError `invalid_request` for a URL that no request is sent to, `webhook_secret_missing`, or
 *   `too_many_webhooks` when the account has named too many URLs.
 */
export async function findRequestWebhook(
  { webhook }: Pick<GenerationPlan, "webhook">,
  { accountId, keyId }: Pick<Caller, "accountId" | "keyId">,
  dependencies: Pick<ApiDependencies, "config" | "database">,
): Promise<RequestWebhook | null> {
  if (webhook === undefined) return null;
  const { url, events } = webhook;
  assertReceiver(url, "webhook_url", dependencies);
  const receiver = await findReceiver(dependencies.database, { accountId, keyId, url });
  if (receiver.kind === "found") return { webhookId: receiver.id, url, events };
  if (receiver.kind === "secret-missing") {
    throw new AppError(
      "webhook_secret_missing",
      "The account has no secret that signs deliveries to a webhook_url. Create it with POST /v1/account/webhook-secret, or omit webhook_url.",
    ).at("webhook_url");
  }
  throw new AppError(
    "too_many_webhooks",
    `The account has named ${maxReceivers} URLs as webhook_url in the last ten days, which is the limit; the query of a URL does not count. Use one of them, and pass what differs in its query or in metadata.`,
    { details: { max_webhook_urls: maxReceivers } },
  );
}
