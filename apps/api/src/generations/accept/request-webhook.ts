import type { Caller } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { ensureTestSecret, findReceiver } from "@atelier/events";
import type { RequestWebhook } from "@atelier/generations/accept";
import type { GenerationPlan } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";
import { assertReceiver } from "../../http/assert-receiver.ts";

/**
 * Finds the receiver of the events of a request; null without a `webhook_url`.
 *
 * @throws AppError `invalid_request` for a URL that no request is sent to, or `webhook_secret_missing`.
 */
export async function findRequestWebhook(
  { webhook }: Pick<GenerationPlan, "webhook">,
  { accountId, keyId, mode }: Pick<Caller, "accountId" | "keyId" | "mode">,
  dependencies: Needs<"config" | "database">,
): Promise<RequestWebhook | null> {
  if (webhook === undefined) return null;
  const { url } = webhook;
  assertReceiver(url, "webhook_url", dependencies);
  const { config, database } = dependencies;
  if (mode === "test") await ensureTestSecret(database, { accountId, pepper: config.KEY_PEPPER });
  const known = await findReceiver(database, { accountId, keyId, url });
  return { ...webhook, webhookId: known ?? newId(), isNew: known === null };
}
