import { webhookEnd } from "@atelier/accounts";
import type { Database, Sql } from "@atelier/database";

/** Postgres channel that is notified when deliveries may be due earlier than workers know. */
export const deliveryChannel = "webhook_delivery";

/**
 * SQL that wakes the workers in the transaction itself. For rare statements: Postgres commits transactions
 * with a notification one at a time.
 */
export const notifyDeliveries = `pg_notify('${deliveryChannel}', '')`;

/** SQL condition for the end of a statement with `recordEvents`: a webhook receives an event of it. */
export const hasDeliveries = "EXISTS (SELECT FROM queued_delivery)";

/** Wakes the workers after the commit of a statement with `recordEvents` that had deliveries. */
export function wakeDeliveries(database: Pick<Database, "notify">): void {
  database.notify(deliveryChannel, "");
}

/** Retention of events, as a Postgres interval: how far back a stream can be replayed. */
const eventsKeptFor = "24 hours";

/** SQL condition on rows `webhook` and `maker`, its key: it is enabled, and its key has the rights that it needs. */
export const isReceiving = `disabled_at IS NULL AND ${webhookEnd("webhook", "maker")} IS NULL`;

/** The mode of events of an account itself, such as a low balance: tests never change the account. */
export const accountEvents = "'live'";

/**
 * Writes events to the outbox, and a delivery for each webhook that receives them, that of the job's request
 * included: common table expressions for the statement that changes the state, so that an event exists
 * exactly when its change is committed.
 *
 * The caller wakes the workers when the statement had deliveries: see `hasDeliveries` and `wakeDeliveries`.
 *
 * The statement must hold the lock of the generation: the ids of a job's events then follow the order
 * of their commits. Events of one statement are written in the order of the type's values.
 *
 * @param from a query with `account_id`, `generation_id` (null for an event of the account), `type` and
 *   `data` (null for an event of a job).
 * @param mode SQL expression for the mode of the events, that of the key of the job or batch: only webhooks of
 *   keys of that mode receive them. Events of the account itself are `accountEvents`.
 * @param requested SQL that joins the receivers which the requests named to `recorded_event`, with their types of
 *   events. Default: those in `generation_webhook`. A statement that inserts into that table does not see its own
 *   rows there, and passes them here.
 */
export function recordEvents(
  from: string,
  mode: string,
  requested = `JOIN (
    SELECT generation_webhook.* FROM generation_webhook JOIN webhook ON webhook.id = webhook_id
      LEFT JOIN api_key AS maker ON maker.id = webhook.key_id
     WHERE ${isReceiving}) AS requested USING (generation_id)`,
): string {
  return `recorded_event AS (
    INSERT INTO event (account_id, generation_id, type, data)
    SELECT account_id, generation_id, type::event_type, data::jsonb FROM (${from}) AS occurred
     ORDER BY type::event_type
    RETURNING id, account_id, generation_id, type, data
  ), queued_delivery AS (
    INSERT INTO webhook_delivery (webhook_id, event_id, generation_id, type, data)
    SELECT webhook.id, recorded_event.id, generation_id, type, data
      FROM recorded_event JOIN webhook USING (account_id)
      LEFT JOIN api_key AS maker ON maker.id = webhook.key_id
     WHERE type::text = ANY (webhook.events) AND coalesce(maker.mode, 'live') = ${mode} AND ${isReceiving}
    UNION ALL
    SELECT webhook_id, recorded_event.id, generation_id, type, data FROM recorded_event ${requested}
     WHERE type::text = ANY (requested.events)
    RETURNING id
  )`;
}

/** Number of events that one statement deletes at most. */
const batch = 1_000;

/**
 * Deletes a batch of expired events, oldest first. Reads no more rows than it may delete.
 *
 * Transaction ids grow with the age of events, except for those of a restored database, which another
 * server assigned. Ids that are above all of this server's are read apart, so that the events of neither
 * server keep those of the other.
 *
 * @returns whether there may be more.
 */
export async function deleteExpiredEvents(sql: Sql): Promise<boolean> {
  const deleted = await sql.query(
    `DELETE FROM event USING (
       (SELECT account_id, id, created_at FROM event ORDER BY xid LIMIT ${batch})
       UNION
       (SELECT account_id, id, created_at FROM event
         WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
         ORDER BY xid LIMIT ${batch})
     ) AS oldest
      WHERE event.account_id = oldest.account_id AND event.id = oldest.id
        AND oldest.created_at < now() - interval '${eventsKeptFor}'
     RETURNING event.id`,
  );
  return deleted.length >= batch;
}
