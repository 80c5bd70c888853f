import { statement, type Sql } from "@atelier/database";
import { hasScopesOfShare, isValidKey, webhookEnd } from "./key-conditions.ts";

/** Counts of what ended together with a key. */
export interface Ended {
  /** Keys that it created, directly or through others. */
  readonly keys: number;
  /** Webhooks of all these keys, without the receivers of their requests. */
  readonly webhooks: number;
  /** Sessions of Studio with these keys. */
  readonly sessions: number;
}

/**
 * Revokes a key and the keys that it created. The caller holds the lock of the account, so that none is
 * created in the meantime.
 *
 * @returns the number of the keys that it created and that were valid until now.
 */
export async function revokeLineage(
  sql: Sql,
  key: { readonly accountId: string; readonly keyId: string },
): Promise<number> {
  const [revoked] = await sql.query<{ keys: number }>(...revoke.bind(key));
  return revoked?.keys ?? 0;
}

// Includes descendants of keys that were revoked earlier, by a version without lineages.
const revoke = statement(
  ["accountId", "keyId"],
  `WITH RECURSIVE ended AS (
     SELECT id, ${isValidKey("api_key")} AS is_valid FROM api_key
      WHERE id = :keyId AND account_id = :accountId
     UNION
     SELECT created.id, ${isValidKey("created")} FROM ended JOIN api_key AS created ON created.parent_id = ended.id
      WHERE created.account_id = :accountId
   ), revoked AS (
     UPDATE api_key SET revoked_at = now() FROM ended
      WHERE api_key.id = ended.id AND revoked_at IS NULL
   )
   SELECT count(*)::int AS keys FROM ended WHERE is_valid AND id <> :keyId`,
);

/**
 * Disables webhooks whose key has ended or lacks their rights, fails their pending deliveries, and
 * deletes sessions whose key has ended. Deletes shares whose key has ended or lacks their rights, so that they
 * do not return with it.
 *
 * @param accountId null for all accounts, whose shares the sweep of shares deletes.
 */
export async function endWithKeys(
  sql: Sql,
  accountId: string | null,
): Promise<Omit<Ended, "keys">> {
  const [sessions] = await sql.query<{ count: number }>(deleteSessions, [accountId]);
  const [webhooks] = await sql.query<{ count: number }>(disableWebhooks, [accountId]);
  await sql.query(deleteShares, [accountId]);
  return { webhooks: webhooks?.count ?? 0, sessions: sessions?.count ?? 0 };
}

const isEnabledWithoutKey = `maker.id = webhook.key_id AND disabled_at IS NULL
       AND ${webhookEnd("webhook", "maker")} IS NOT NULL`;

/** SQL condition: a webhook is enabled although its key has ended or lacks its rights. */
export const hasWebhookToEnd = `EXISTS (
  SELECT FROM webhook, api_key AS maker WHERE ${isEnabledWithoutKey})`;

const disableWebhooks = `
  WITH ended AS (
    UPDATE webhook SET disabled_at = now() FROM api_key AS maker
     WHERE ${isEnabledWithoutKey}
       AND ($1::uuid IS NULL OR webhook.account_id = $1)
    RETURNING webhook.id, requested_at
  ), failed AS (
    UPDATE webhook_delivery
       SET status = 'failed', error = coalesce(error, 'the key of the webhook has ended')
      FROM ended WHERE webhook_id = ended.id AND status = 'pending'
  )
  SELECT count(*) FILTER (WHERE requested_at IS NULL)::int AS count FROM ended`;

const deleteSessions = `
  WITH ended AS (
    DELETE FROM studio_session AS session USING api_key
     WHERE api_key.id = session.key_id AND ($1::uuid IS NULL OR session.account_id = $1)
       AND NOT ${isValidKey("api_key")}
    RETURNING session.expires_at > now() AS was_valid
  )
  SELECT count(*)::int AS count FROM ended WHERE was_valid`;

const deleteShares = `
  DELETE FROM share USING api_key AS maker
   WHERE maker.id = share.key_id AND share.account_id = $1
     AND NOT (${isValidKey("maker")} AND ${hasScopesOfShare("maker")})`;

/**
 * Ends keys, webhooks and sessions whose key has ended: after an expiry, and after changes by a version
 * without lineages. Deletes expired sessions.
 */
export async function endLeftovers(sql: Sql): Promise<void> {
  const shorten = () =>
    sql.query(
      `UPDATE api_key AS created
          SET revoked_at = coalesce(created.revoked_at, maker.revoked_at),
              expires_at = least(created.expires_at, maker.expires_at)
         FROM api_key AS maker
        WHERE maker.id = created.parent_id
          AND (created.revoked_at IS NULL AND maker.revoked_at IS NOT NULL
               OR created.expires_at IS DISTINCT FROM least(created.expires_at, maker.expires_at))
       RETURNING created.id`,
    );
  // Each round reaches keys one step further from the first.
  while ((await shorten()).length > 0);
  await endWithKeys(sql, null);
  await sql.query("DELETE FROM studio_session WHERE expires_at <= now()");
}
