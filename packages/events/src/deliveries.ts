import { webhookEnd } from "@atelier/accounts";
import { statement, type Database, type DeliveryStatus, type Sql } from "@atelier/database";
import type { EventType } from "@atelier/schemas";
import { notifyDeliveries, wakeDeliveries } from "./outbox.ts";

/** The type of an event that a webhook receives: also that of `POST /v1/webhooks/{id}/test`. */
type DeliveredType = EventType | "webhook.test";

/** An attempt at a delivery, as Postgres writes it into JSON. */
interface LoggedAttempt {
  readonly at: string;
  /** Null without a response. */
  readonly response_status: number | null;
  /** Null for a success. */
  readonly error: string | null;
}

/** Attempts of a delivery that are kept. There are about 30 in 24 hours. */
const loggedAttempts = 50;

/** A delivery as its owner sees it. */
export interface DeliveryInfo {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: bigint;
  readonly generationId: string | null;
  readonly type: DeliveredType;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly lastAttemptAt: Date | null;
  readonly responseStatus: number | null;
  readonly error: string | null;
  /** The last attempts, oldest first. */
  readonly attemptLog: readonly LoggedAttempt[];
  readonly createdAt: Date;
}

const columns = `delivery.id, delivery.webhook_id AS "webhookId", event_id AS "eventId",
  delivery.generation_id AS "generationId", type, delivery.status, attempts, next_attempt_at AS "nextAttemptAt",
  last_attempt_at AS "lastAttemptAt", response_status AS "responseStatus", delivery.error,
  attempt_log AS "attemptLog", delivery.created_at AS "createdAt"`;

const columnsAndNotify = `${columns}, ${notifyDeliveries}`;

/** Lists deliveries of a webhook, newest first. */
export function listDeliveries(
  sql: Sql,
  of: { readonly webhookId: string; readonly beforeId: string | null; readonly limit: number },
): Promise<DeliveryInfo[]> {
  return sql.query(
    `SELECT ${columns} FROM webhook_delivery AS delivery
      WHERE webhook_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [of.webhookId, of.beforeId, of.limit],
  );
}

/**
 * Lists deliveries to the `webhook_url` of a job, newest first. Reads those that its receiver got while the job
 * was in work.
 */
export function listJobDeliveries(
  sql: Sql,
  of: { readonly generationId: string; readonly beforeId: string | null; readonly limit: number },
): Promise<DeliveryInfo[]> {
  return sql.query(
    `WITH job AS MATERIALIZED (
       SELECT webhook_id, uuidv7(generation.created_at - now() - interval '1 minute') AS first_id,
              uuidv7(coalesce(completed_at, now()) - now() + interval '1 minute') AS last_id
         FROM generation JOIN generation_webhook AS requested ON requested.generation_id = generation.id
        WHERE generation.id = $1
     )
     SELECT ${columns}
       FROM job JOIN webhook_delivery AS delivery ON delivery.webhook_id = job.webhook_id
        AND delivery.id BETWEEN first_id AND last_id
      WHERE delivery.generation_id = $1 AND ($2::uuid IS NULL OR delivery.id < $2)
      ORDER BY delivery.id DESC LIMIT $3`,
    [of.generationId, of.beforeId, of.limit],
  );
}

/** Test events of a webhook in a minute. */
export const maxTestsPerMinute = 10;

/**
 * Queues an event of type `webhook.test` for a webhook. A webhook that is paused after failures is
 * tried at once. The caller holds the lock of the account, so that concurrent requests cannot all pass.
 *
 * @returns the delivery, or the pending one of an earlier test; null when the webhook was tested ten
 *   times in the last minute.
 */
export async function queueTestDelivery(sql: Sql, webhookId: string): Promise<DeliveryInfo | null> {
  const [pending] = await sql.query<DeliveryInfo>(
    `SELECT ${columns} FROM webhook_delivery AS delivery
      WHERE webhook_id = $1 AND generation_id IS NULL AND status = 'pending' AND type = 'webhook.test'
      LIMIT 1`,
    [webhookId],
  );
  if (pending !== undefined) return pending;
  const [delivery] = await sql.query<DeliveryInfo>(
    `WITH allowed AS (
       SELECT WHERE (SELECT count(*) FROM webhook_delivery
                      WHERE webhook_id = $1 AND id > (SELECT uuidv7(interval '-1 minute'))
                        AND type = 'webhook.test') < ${maxTestsPerMinute}
     ), resumed AS (
       UPDATE webhook SET paused_until = NULL FROM allowed WHERE id = $1
     )
     INSERT INTO webhook_delivery AS delivery (webhook_id, event_id, type, data)
     SELECT $1, nextval(pg_get_serial_sequence('event', 'id')), 'webhook.test', '{}' FROM allowed
     RETURNING ${columnsAndNotify}`,
    [webhookId],
  );
  return delivery ?? null;
}

/**
 * Queues a delivery again, for another 24 hours. It is sent at once, also to a webhook that is paused
 * after failures.
 *
 * @returns null when the account has no such delivery of an enabled webhook.
 */
export async function retryDelivery(
  sql: Sql,
  target: { readonly accountId: string; readonly deliveryId: string },
): Promise<DeliveryInfo | null> {
  const [delivery] = await sql.query<DeliveryInfo>(
    `WITH resumed AS (
       UPDATE webhook SET paused_until = NULL
        WHERE id = (SELECT webhook_id FROM webhook_delivery WHERE id = $2)
          AND account_id = $1 AND disabled_at IS NULL AND ${isPermitted("webhook")}
       RETURNING id
     )
     UPDATE webhook_delivery AS delivery
        SET status = 'pending', next_attempt_at = now(), give_up_at = now() + interval '24 hours'
       FROM resumed
      WHERE delivery.id = $2 AND resumed.id = webhook_id
     RETURNING ${columnsAndNotify}`,
    [target.accountId, target.deliveryId],
  );
  return delivery ?? null;
}

/** A webhook that a worker has claimed, with what it needs to sign. */
export interface ClaimedWebhook {
  readonly id: string;
  /** Number of the claim, which fences what is recorded about it. */
  readonly attempt: number;
  readonly url: string;
  /** Id of what its secrets are bound to: the webhook, or the account for the receiver of requests. */
  readonly secretOf: string;
  /**
   * Encrypted. Null for requests of test keys that an earlier version accepted: their account has no secret of
   * tests yet.
   */
  readonly secret: Uint8Array | null;
  /** Null without a rotation in its grace period. */
  readonly previousSecret: Uint8Array | null;
  /** Rounds in a row without a success. */
  readonly failures: number;
  /** Requests that may be sent to it at the same time. */
  readonly concurrency: number;
}

/** Webhooks of one account that are delivered to at the same time, and those of them that are failing. */
const maxClaimsPerAccount = { all: 4, failing: 2 };

/**
 * SQL that lists the webhooks with pending deliveries, in the descending order of their ids: one look into the
 * index for each webhook, however many deliveries it has. As a join, Postgres would sometimes read all of
 * them. Each look begins at the newest delivery, since the entries of delivered ones, the oldest, stay in
 * the index until it is vacuumed.
 */
export const withPending = `with_pending (webhook_id) AS (
    (SELECT webhook_id FROM webhook_delivery WHERE status = 'pending'
      ORDER BY webhook_id DESC, next_attempt_at DESC, event_id DESC LIMIT 1)
    UNION ALL
    SELECT next.webhook_id FROM with_pending, LATERAL (
      SELECT webhook_id FROM webhook_delivery
       WHERE status = 'pending' AND webhook_id < with_pending.webhook_id
       ORDER BY webhook_id DESC, next_attempt_at DESC, event_id DESC LIMIT 1) AS next
  )`;

/** SQL condition on a row of `webhook`: its key has not ended, and has the right to its events. */
const isPermitted = (webhook: string) => `NOT EXISTS (
  SELECT FROM api_key AS maker
   WHERE maker.id = ${webhook}.key_id AND ${webhookEnd(webhook, "maker")} IS NOT NULL)`;

/** The result of a look for due deliveries. */
interface WebhookTurn {
  /** Null when no webhook can be claimed now. */
  readonly claimed: ClaimedWebhook | null;
  /**
   * Shortest time until a delivery is due or a claim or pause ends, in milliseconds, by the database's clock:
   * 0 or less when one is due, null without pending deliveries.
   */
  readonly dueInMs: number | null;
}

/**
 * Claims a webhook with due deliveries. A webhook is delivered to by one worker at a time; an account
 * by few, so that its endpoints do not take all slots of the workers.
 *
 * @param leaseMs time after which another worker may claim it.
 */
export async function claimWebhook(sql: Sql, leaseMs: number): Promise<WebhookTurn> {
  const [row] = await sql.query<(ClaimedWebhook | { id: null }) & { dueInMs: number | null }>(
    `WITH RECURSIVE ${withPending}, candidate AS MATERIALIZED (
       SELECT w.id, CASE WHEN busy_until > now() THEN busy_until ELSE (
                SELECT next_attempt_at FROM webhook_delivery
                 WHERE webhook_id = w.id AND status = 'pending' ORDER BY next_attempt_at LIMIT 1
              ) END AS due_at
         FROM with_pending JOIN webhook AS w ON w.id = with_pending.webhook_id,
              LATERAL (SELECT greatest(claimed_until, paused_until) AS busy_until) AS state
        WHERE disabled_at IS NULL AND ${isPermitted("w")}
     ), claimed AS (
       UPDATE webhook SET attempt = attempt + 1, claimed_until = now() + $1 * interval '1 ms'
        WHERE id = (
          SELECT w.id FROM candidate JOIN webhook AS w USING (id)
           WHERE due_at <= now() AND disabled_at IS NULL
             AND (claimed_until IS NULL OR claimed_until <= now())
             AND (paused_until IS NULL OR paused_until <= now())
             AND (SELECT count(*) < ${maxClaimsPerAccount.all}
                         AND (w.failures = 0
                              OR count(*) FILTER (WHERE other.failures > 0) < ${maxClaimsPerAccount.failing})
                    FROM webhook AS other
                   WHERE other.account_id = w.account_id AND other.claimed_until > now())
           ORDER BY claimed_until NULLS FIRST LIMIT 1 FOR NO KEY UPDATE OF w SKIP LOCKED)
       RETURNING *
     ), signing AS (
       SELECT claimed.id, id AS owner, secret, previous_secret, previous_secret_until
         FROM claimed WHERE requested_at IS NULL
       UNION ALL
       SELECT claimed.id, claimed.account_id, own.secret, own.previous_secret, own.previous_secret_until
         FROM claimed JOIN api_key AS maker ON maker.id = claimed.key_id LEFT JOIN LATERAL (
           SELECT * FROM webhook_secret WHERE account_id = claimed.account_id AND maker.mode <> 'test'
           UNION ALL
           SELECT * FROM test_webhook_secret WHERE account_id = claimed.account_id AND maker.mode = 'test'
         ) AS own ON true WHERE requested_at IS NOT NULL
     )
     SELECT claimed.id, attempt, url, failures, concurrency, signing.owner AS "secretOf", signing.secret,
            CASE WHEN signing.previous_secret_until > now() THEN signing.previous_secret END AS "previousSecret",
            due.in_ms AS "dueInMs"
       FROM (SELECT extract(epoch FROM min(due_at) - now())::float8 * 1000 AS in_ms FROM candidate) AS due
       LEFT JOIN claimed ON true LEFT JOIN signing ON signing.id = claimed.id`,
    [leaseMs],
  );
  if (row === undefined) throw new Error("no result of a claim");
  const { dueInMs, ...claimed } = row;
  return { claimed: claimed.id === null ? null : claimed, dueInMs };
}

/** SQL: the id of the batch of a delivery; null for other events. */
const batchOf = (delivery: string) =>
  `CASE WHEN ${delivery}.type = 'batch.completed' THEN (${delivery}.data->>'id')::uuid END`;

/** A delivery to attempt. */
export interface DueDelivery {
  readonly id: string;
  readonly eventId: bigint;
  readonly generationId: string | null;
  readonly type: DeliveredType;
  readonly data: object | null;
  readonly attempts: number;
  /** Where it is sent; null when the URL of the request is not kept any more. */
  readonly url: string | null;
  /** When its event was written. */
  readonly createdAt: Date;
}

/**
 * Extends the claim of a webhook and returns its due deliveries, at most one of each job: its first
 * pending one. Deliveries of a job whose first one is not due are put off until it is, so that they are
 * not looked at in every round.
 *
 * @returns null when the claim was lost, or the webhook was changed, disabled or deleted. An empty page
 *   with `hasMore` put off deliveries; further ones may be due.
 */
export async function takeDueDeliveries(
  sql: Sql,
  claim: ClaimedWebhook,
  options: { readonly leaseMs: number; readonly limit: number },
): Promise<{ readonly deliveries: readonly DueDelivery[]; readonly hasMore: boolean } | null> {
  const [taken] = await sql.query<{ deliveries: readonly string[]; hasMore: boolean }>(
    ...extendClaim.bind({ ...options, id: claim.id, attempt: claim.attempt, url: claim.url }),
  );
  if (taken === undefined) return null;
  const deliveries = await sql.query<DueDelivery>(
    `SELECT delivery.id, event_id AS "eventId", delivery.generation_id AS "generationId", type, data, attempts,
            CASE WHEN requested_at IS NULL THEN webhook.url ELSE coalesce(requested.url, batch.webhook_url) END AS url,
            delivery.created_at AS "createdAt"
       FROM webhook_delivery AS delivery JOIN webhook ON webhook.id = delivery.webhook_id
       LEFT JOIN generation_webhook AS requested
         ON requested.generation_id = delivery.generation_id AND requested.webhook_id = delivery.webhook_id
       LEFT JOIN batch ON batch.id = ${batchOf("delivery")} AND batch.webhook_id = delivery.webhook_id
      WHERE delivery.id = ANY ($1::uuid[]) AND delivery.status = 'pending' ORDER BY event_id`,
    [taken.deliveries],
  );
  return { deliveries, hasMore: taken.hasMore };
}

/** Due deliveries that a round looks at: a job has about four, and those that are put off come first. */
const lookedAt = "(:limit * 4 + 60)";

const extendClaim = statement(
  ["id", "attempt", "url", "leaseMs", "limit"],
  `WITH extended AS (
     UPDATE webhook SET claimed_until = now() + :leaseMs * interval '1 ms'
      WHERE id = :id AND attempt = :attempt AND url = :url AND disabled_at IS NULL
         AND ${isPermitted("webhook")}
      RETURNING id
   ), looked_at AS (
     SELECT due.id, due.event_id, coalesce(first.id, due.id) AS first_id,
            coalesce(first.event_id, due.event_id) AS first_event_id,
            first.next_attempt_at AS put_off_until
       FROM extended CROSS JOIN LATERAL (
         SELECT id, generation_id, event_id FROM webhook_delivery
          WHERE webhook_id = extended.id AND status = 'pending' AND next_attempt_at <= now()
          ORDER BY next_attempt_at, event_id LIMIT ${lookedAt}
       ) AS due LEFT JOIN LATERAL (
         SELECT id, event_id, next_attempt_at FROM webhook_delivery
          WHERE webhook_id = extended.id AND status = 'pending'
            AND generation_id = due.generation_id AND event_id < due.event_id
          ORDER BY event_id LIMIT 1
       ) AS first ON true
   ), put_off AS (
     UPDATE webhook_delivery SET next_attempt_at = put_off_until
       FROM looked_at WHERE webhook_delivery.id = looked_at.id AND put_off_until > now()
     RETURNING looked_at.id
   )
   SELECT ARRAY(
            SELECT first_id::text FROM looked_at
             WHERE put_off_until IS NULL OR put_off_until <= now()
             GROUP BY first_id, first_event_id ORDER BY first_event_id LIMIT :limit) AS deliveries,
          EXISTS (SELECT FROM put_off) AS "hasMore"
     FROM extended`,
);

/** The outcome of an attempt. */
export interface DeliveryResult {
  /** Null without a response. */
  readonly responseStatus: number | null;
  /** Null for a success. */
  readonly error: string | null;
  /** Delay before the next attempt after a failure, in milliseconds. */
  readonly retryAfterMs: number;
}

const recordAttempt = statement(
  ["webhookId", "attempt", "deliveryId", "responseStatus", "error", "retryAfterMs"],
  `WITH recorded AS (
   UPDATE webhook_delivery AS delivery
      SET attempts = attempts + 1, last_attempt_at = now(), response_status = :responseStatus,
          error = :error,
          attempt_log = CASE WHEN jsonb_array_length(attempt_log) < ${loggedAttempts} THEN attempt_log
                             ELSE attempt_log - 0 END
            || jsonb_build_object('at', now(), 'response_status', :responseStatus::int,
                                  'error', :error::text),
          next_attempt_at = now() + :retryAfterMs * interval '1 ms',
          status = CASE
            WHEN :error::text IS NULL THEN 'delivered'
            WHEN now() + :retryAfterMs * interval '1 ms' > give_up_at THEN 'failed'
            ELSE 'pending' END::delivery_status
     FROM (SELECT id FROM webhook WHERE id = :webhookId AND attempt = :attempt FOR SHARE) AS claimed
    WHERE delivery.id = :deliveryId AND webhook_id = claimed.id AND status = 'pending'
   RETURNING status, webhook_id, generation_id
   ), resumed AS (
     UPDATE webhook_delivery AS later SET next_attempt_at = created_at
       FROM recorded
      WHERE later.webhook_id = recorded.webhook_id AND later.generation_id = recorded.generation_id
        AND later.status = 'pending' AND later.next_attempt_at > now() AND later.attempts = 0
        AND later.id <> :deliveryId AND recorded.status <> 'pending'
   )
   SELECT status FROM recorded`,
);

/**
 * Records an attempt. After its last one within 24 hours, a delivery has failed. When it has ended, later
 * deliveries of its job that were put off are due.
 *
 * @returns the new status; null when the claim was lost.
 */
export async function recordDelivery(
  sql: Sql,
  claim: ClaimedWebhook,
  deliveryId: string,
  result: DeliveryResult,
): Promise<DeliveryStatus | null> {
  const [recorded] = await sql.query<{ status: DeliveryStatus }>(
    ...recordAttempt.bind({
      webhookId: claim.id,
      attempt: claim.attempt,
      deliveryId,
      responseStatus: result.responseStatus,
      error: result.error,
      retryAfterMs: result.retryAfterMs,
    }),
  );
  return recorded?.status ?? null;
}

/** Time without a success after which a webhook is disabled, as a Postgres interval. */
const disabledAfter = "5 days";

/**
 * Ends the claim of a webhook. One that has failed for five days is disabled, and its pending
 * deliveries have failed. A webhook without pending deliveries is not failing: a failure days later
 * begins anew.
 *
 * @param outcome.pauseMs after a failure, time until the next attempt, in milliseconds; null keeps the
 *   state of the webhook, since nothing was sent.
 * @param outcome.concurrency requests that the next claim may send at the same time.
 */
export async function releaseWebhook(
  database: Pick<Database, "repeatable" | "notify">,
  claim: ClaimedWebhook,
  outcome: { readonly concurrency: number } & (
    | { readonly kind: "success" | "unchanged" }
    | { readonly kind: "failure"; readonly pauseMs: number }
  ),
): Promise<void> {
  const [released] = await database.repeatable.query<{ hasPending: boolean }>(
    ...endClaim.bind({
      id: claim.id,
      attempt: claim.attempt,
      kind: outcome.kind,
      concurrency: outcome.concurrency,
      pauseMs: outcome.kind === "failure" ? outcome.pauseMs : null,
    }),
  );
  if (released?.hasPending === true) wakeDeliveries(database);
}

const endClaim = statement(
  ["id", "attempt", "kind", "concurrency", "pauseMs"],
  `WITH left_over AS (
     SELECT EXISTS (
       SELECT FROM webhook_delivery WHERE webhook_id = :id AND status = 'pending') AS has_pending
   ), released AS (
     UPDATE webhook
        SET claimed_until = now(), concurrency = :concurrency,
            failures = CASE WHEN :kind = 'success' OR NOT has_pending THEN 0
                            WHEN :kind = 'failure' THEN failures + 1 ELSE failures END,
            paused_until = CASE WHEN :kind = 'failure' AND has_pending
                                THEN now() + :pauseMs * interval '1 ms' END,
            failing_since = CASE WHEN :kind = 'success' OR NOT has_pending THEN NULL
                                 WHEN :kind = 'failure' THEN coalesce(failing_since, now())
                                 ELSE failing_since END,
            disabled_at = CASE WHEN :kind = 'failure' AND failing_since < now() - interval '${disabledAfter}'
                               THEN now() END
       FROM left_over
      WHERE id = :id AND attempt = :attempt AND disabled_at IS NULL
     RETURNING id, disabled_at, has_pending
   ), failed AS (
     UPDATE webhook_delivery SET status = 'failed', error = coalesce(error, 'the webhook was disabled')
       FROM released
      WHERE webhook_id = released.id AND status = 'pending' AND disabled_at IS NOT NULL
   )
   SELECT has_pending AS "hasPending" FROM released`,
);

/** Ends the pending deliveries of a webhook that its account has disabled or deleted. */
export async function failPendingDeliveries(sql: Sql, webhookId: string): Promise<void> {
  await sql.query(
    `UPDATE webhook_delivery SET status = 'failed', error = coalesce(error, 'the webhook was disabled')
      WHERE webhook_id = $1 AND status = 'pending'`,
    [webhookId],
  );
}

/** Retention of deliveries, as a Postgres interval. */
const deliveriesKeptFor = "7 days";
const batch = 1_000;

/**
 * Deletes a batch of expired deliveries, oldest first. Reads no more rows than it may delete.
 *
 * @returns whether there may be more.
 */
export async function deleteExpiredDeliveries(sql: Sql): Promise<boolean> {
  const deleted = await sql.query(
    `DELETE FROM webhook_delivery WHERE id IN (
       SELECT id FROM (
         SELECT id, created_at FROM webhook_delivery ORDER BY id LIMIT ${batch}
       ) AS oldest WHERE created_at < now() - interval '${deliveriesKeptFor}')
     RETURNING id`,
  );
  return deleted.length === batch;
}
