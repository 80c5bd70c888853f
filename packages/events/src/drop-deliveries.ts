import { statement, type Database, type Sql } from "@atelier/database";
import { settleEach } from "@atelier/kit";
import { withPending } from "./deliveries.ts";

/** Pending deliveries that one webhook may have. */
export const maxPendingDeliveries = 100_000;

/** Number of deliveries that one transaction ends. */
const batch = 2_000;

/** A webhook with pending deliveries. */
interface PendingWebhook {
  readonly id: string;
  /** It is not disabled and not deleted. */
  readonly isEnabled: boolean;
}

/** Lists all webhooks with pending deliveries. */
function listPending(sql: Sql): Promise<PendingWebhook[]> {
  return sql.query(
    `WITH RECURSIVE ${withPending}
     SELECT webhook_id AS id, coalesce(disabled_at IS NULL AND webhook.id IS NOT NULL, false) AS "isEnabled"
       FROM with_pending LEFT JOIN webhook ON webhook.id = webhook_id`,
  );
}

/**
 * Drops deliveries that are not sent any more, oldest first: those that were due for 24 hours, those
 * beyond the limit of a webhook, and those of webhooks that were disabled or deleted while a job wrote
 * them. The first two are counted in the webhook's row.
 *
 * @param proceed called after each batch; false ends the work.
 * @returns the number of dropped deliveries.
 * @throws AggregateError with the errors of webhooks, after the last one.
 */
export async function dropDeliveries(
  database: Database,
  proceed: () => Promise<boolean>,
  maxPending = maxPendingDeliveries,
): Promise<number> {
  let dropped = 0;
  await settleEach(await listPending(database), async (webhook) => {
    let ended: number;
    do {
      ended = webhook.isEnabled
        ? await dropBatch(database, webhook.id, maxPending)
        : await endBatch(database, webhook.id, endAll.bind({ webhookId: webhook.id }));
      dropped += ended;
      if (!(await proceed())) return false;
    } while (ended > 0);
    return true;
  });
  return dropped;
}

/** SQL that ends the oldest pending deliveries of a webhook that meet a condition. */
const endOldest = (condition: string, reason: string) => `
  UPDATE webhook_delivery SET status = 'failed', error = '${reason}'
    WHERE status = 'pending' AND id IN (
      SELECT id FROM webhook_delivery
       WHERE webhook_id = :webhookId AND status = 'pending' AND ${condition}
       ORDER BY next_attempt_at, event_id LIMIT ${batch})
  RETURNING id`;

const endAll = statement(["webhookId"], endOldest("true", "the webhook was disabled"));

const endExpired = statement(
  ["webhookId"],
  endOldest(
    "next_attempt_at < now() - interval '24 hours' AND give_up_at < now()",
    "dropped: it was not delivered within 24 hours",
  ),
);

const endBeyondLimit = statement(
  ["webhookId", "dueAt", "eventId"],
  endOldest(
    "(next_attempt_at, event_id) <= (:dueAt::timestamptz, :eventId::bigint)",
    "dropped: too many deliveries of the webhook were pending",
  ),
);

/** The place of a delivery in the order in which they are due. */
interface Position {
  /** As Postgres writes it, in microseconds. */
  readonly dueAt: string;
  readonly eventId: bigint;
}

async function dropBatch(
  database: Database,
  webhookId: string,
  maxPending: number,
): Promise<number> {
  const expired = await endBatch(database, webhookId, endExpired.bind({ webhookId }), true);
  if (expired > 0) return expired;
  const [newestDropped] = await database.query<Position>(
    `SELECT next_attempt_at::text AS "dueAt", event_id AS "eventId" FROM webhook_delivery
      WHERE webhook_id = $1 AND status = 'pending'
      ORDER BY next_attempt_at DESC, event_id DESC OFFSET $2 LIMIT 1`,
    [webhookId, maxPending],
  );
  if (newestDropped === undefined) return 0;
  const end = endBeyondLimit.bind({ webhookId, ...newestDropped });
  return endBatch(database, webhookId, end, true);
}

/**
 * Ends a batch of deliveries.
 *
 * @param isCounted whether they are counted as dropped.
 * @returns their number.
 */
function endBatch(
  database: Database,
  webhookId: string,
  end: ReturnType<typeof endAll.bind>,
  isCounted = false,
): Promise<number> {
  return database.transaction(async (sql) => {
    // As everywhere, the webhook is locked before its deliveries.
    await sql.query("SELECT FROM webhook WHERE id = $1 FOR NO KEY UPDATE", [webhookId]);
    const ended = await sql.query(...end);
    if (isCounted && ended.length > 0) {
      await sql.query(
        "UPDATE webhook SET dropped_deliveries = dropped_deliveries + $2 WHERE id = $1",
        [webhookId, ended.length],
      );
    }
    return ended.length;
  });
}
