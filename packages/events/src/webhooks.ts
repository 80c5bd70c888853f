import { isValidKey, webhookEnd } from "@atelier/accounts";
import { newId, statement, type Sql } from "@atelier/database";
import { pepperId } from "@atelier/kit";
import { AppError, quotas, type EventType, type KeyMode } from "@atelier/schemas";
import { makeSecret, sealSecret } from "./webhook-secret.ts";

/** Why a webhook receives nothing. */
type DisabledReason = "account" | "failing" | "key_revoked" | "key_expired" | "key_not_permitted";

/** A webhook as its owner sees it. */
export interface WebhookInfo {
  readonly id: string;
  /** The key that created it; null for webhooks from before it was recorded. */
  readonly keyId: string | null;
  /** That of its key: it receives the events of jobs of this mode. */
  readonly mode: KeyMode;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string | null;
  readonly failingSince: Date | null;
  readonly droppedDeliveries: bigint;
  readonly disabledAt: Date | null;
  /** Null while it is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
}

/** Webhooks end with their keys, also before `endWithKeys` has recorded it. */
const select = `SELECT webhook.id, key_id AS "keyId", coalesce(maker.mode, 'live') AS mode, url, events, description,
         failing_since AS "failingSince", dropped_deliveries AS "droppedDeliveries",
         CASE WHEN ${webhookEnd("webhook", "maker")} IS NULL THEN disabled_at
              ELSE coalesce(disabled_at, maker.revoked_at, least(maker.expires_at, now())) END AS "disabledAt",
         coalesce(${webhookEnd("webhook", "maker")},
                  CASE WHEN disabled_at IS NULL THEN NULL
                       WHEN failing_since IS NULL THEN 'account' ELSE 'failing' END) AS "disabledReason",
         webhook.created_at AS "createdAt"
    FROM webhook LEFT JOIN api_key AS maker ON maker.id = key_id`;

/**
 * Creates a webhook, which ends with its key.
 *
 * @returns its secret, which can't be read again.
 */
export async function createWebhook(
  sql: Sql,
  {
    id = newId(),
    mode,
    pepper,
    ...settings
  }: {
    readonly id?: string;
    readonly accountId: string;
    readonly keyId: string;
    readonly mode: KeyMode;
    readonly url: string;
    readonly events: readonly EventType[];
    readonly description: string | null;
    readonly pepper: string;
  },
): Promise<{ readonly id: string; readonly secret: string }> {
  const secret = makeSecret(mode);
  await sql.query(
    ...insert.bind({
      ...settings,
      id,
      secret: sealSecret(secret, pepper, id),
      pepperId: pepperId(pepper),
    }),
  );
  return { id, secret };
}

// A second run after a lost response replaces the secret that nobody has received.
const insert = statement(
  ["id", "accountId", "keyId", "url", "events", "description", "secret", "pepperId"],
  `INSERT INTO webhook (id, account_id, key_id, url, events, description, secret, pepper_id)
   VALUES (:id, :accountId, :keyId, :url, :events::text[], :description, :secret, :pepperId)
   ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, pepper_id = excluded.pepper_id`,
);

/**
 * Refuses more webhooks than an account may have of keys of one mode. Those whose key has ended do not count. The
 * caller holds the lock of the account.
 *
 * @throws AppError `too_many_webhooks`.
 */
export async function assertFewWebhooks(
  sql: Sql,
  { accountId, mode }: { readonly accountId: string; readonly mode: KeyMode },
): Promise<void> {
  const [counted] = await sql.query<{ webhooks: number }>(
    `SELECT count(*)::int AS webhooks FROM webhook LEFT JOIN api_key AS maker ON maker.id = key_id
      WHERE webhook.account_id = $1 AND requested_at IS NULL AND coalesce(maker.mode, 'live') = $2
        AND (maker.id IS NULL OR ${isValidKey("maker")})`,
    [accountId, mode],
  );
  const most = quotas.webhooks[mode];
  if ((counted?.webhooks ?? 0) <= most) return;
  throw new AppError(
    "too_many_webhooks",
    `The account has ${most} webhooks of keys of this mode, which is the limit. Delete one that is not used any more.`,
    { details: { max_webhooks: most } },
  );
}

/** Receivers that a list shows. */
const maxListedReceivers = 1_000;

/** The receivers of requests of an account whose keys are valid, newest first. */
export function listReceivers(sql: Sql, accountId: string): Promise<WebhookInfo[]> {
  return sql.query(
    `${select} WHERE webhook.account_id = $1 AND requested_at IS NOT NULL AND ${isValidKey("maker")}
      ORDER BY webhook.id DESC LIMIT ${maxListedReceivers}`,
    [accountId],
  );
}

/** The webhooks of an account, newest first, without the receivers of its requests. */
export function listWebhooks(sql: Sql, accountId: string): Promise<WebhookInfo[]> {
  return sql.query(
    `${select} WHERE webhook.account_id = $1 AND requested_at IS NULL ORDER BY webhook.id DESC`,
    [accountId],
  );
}

/** A webhook of an account, or null; also for the receiver of a request. */
export async function findWebhook(
  sql: Sql,
  target: { readonly accountId: string; readonly webhookId: string },
): Promise<WebhookInfo | null> {
  const [webhook] = await sql.query<WebhookInfo>(
    `${select} WHERE webhook.account_id = $1 AND webhook.id = $2 AND requested_at IS NULL`,
    [target.accountId, target.webhookId],
  );
  return webhook ?? null;
}

/** The webhook of a delivery of an account, or the receiver of its request; null without one. */
export async function findWebhookOfDelivery(
  sql: Sql,
  target: { readonly accountId: string; readonly deliveryId: string },
): Promise<WebhookInfo | null> {
  const [webhook] = await sql.query<WebhookInfo>(
    `${select} WHERE webhook.account_id = $1
        AND webhook.id = (SELECT webhook_id FROM webhook_delivery WHERE id = $2)`,
    [target.accountId, target.deliveryId],
  );
  return webhook ?? null;
}

/** Changes a webhook. Enabling it forgets its earlier failures. Omitted settings stay unchanged. */
export async function updateWebhook(
  sql: Sql,
  webhookId: string,
  {
    url,
    events,
    description,
    isEnabled,
  }: {
    readonly url?: string;
    readonly events?: readonly EventType[];
    readonly description?: string | null;
    readonly isEnabled?: boolean;
  },
): Promise<void> {
  await sql.query(
    ...update.bind({
      webhookId,
      url: url ?? null,
      events: events ?? null,
      description: description ?? null,
      setsDescription: description !== undefined,
      enables: isEnabled === true,
      disables: isEnabled === false,
    }),
  );
}

const update = statement(
  ["webhookId", "url", "events", "description", "setsDescription", "enables", "disables"],
  `UPDATE webhook
      SET url = coalesce(:url::text, url), events = coalesce(:events::text[], events),
          description = CASE WHEN :setsDescription THEN :description::text ELSE description END,
          disabled_at = CASE WHEN :enables THEN NULL WHEN :disables THEN now() ELSE disabled_at END,
          failing_since = CASE WHEN :enables THEN NULL ELSE failing_since END,
          failures = CASE WHEN :enables THEN 0 ELSE failures END,
          paused_until = CASE WHEN :enables THEN NULL ELSE paused_until END
    WHERE id = :webhookId`,
);

/** Deletes a webhook. Its pending deliveries are never sent, and expire with the others. */
export async function deleteWebhook(sql: Sql, webhookId: string): Promise<void> {
  // Deliveries of jobs stay, for the lists of the jobs.
  await sql.query(
    `WITH deleted AS (DELETE FROM webhook WHERE id = $1 RETURNING id)
     DELETE FROM webhook_delivery USING deleted WHERE webhook_id = deleted.id AND generation_id IS NULL`,
    [webhookId],
  );
}
