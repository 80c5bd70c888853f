import { isValidKey } from "@atelier/accounts";
import { statement, type Sql } from "@atelier/database";
import { secretMissing } from "./secret-missing.ts";
import { AppError, type JobEventType, type KeyMode, quotas } from "@atelier/schemas";

/** Retention of a receiver after its last request, and of a job's URL: longer than that of deliveries. */
const receiversKeptFor = "10 days";

/** Where a request wants the events of its job. */
interface Receiver {
  readonly accountId: string;
  /** The requesting key, with which the receiver ends. */
  readonly keyId: string;
  readonly url: string;
}

/** A receiver that the transaction of its first request creates. */
export interface NewReceiver extends Receiver {
  readonly id: string;
}

/**
 * Finds the receiver of a `webhook_url`: a webhook that is sent only the events of jobs whose request named its
 * URL. URLs that differ in their query share one. A receiver that was disabled because it failed is tried again.
 *
 * @returns its id; null when the transaction that accepts the request has to create it.
 * @throws AppError `webhook_secret_missing`.
 */
export async function findReceiver(sql: Sql, receiver: Receiver): Promise<string | null> {
  const [row] = await sql.query<{ hasSecret: boolean; id: string | null; isCurrent: boolean }>(
    ...find.bind(bound(receiver)),
  );
  if (row?.hasSecret !== true) throw secretMissing().at("webhook_url");
  if (row.id === null || row.isCurrent) return row.id;
  // The sweep may have deleted it in the meantime.
  const used = await sql.query(...use.bind({ id: row.id }));
  return used.length === 0 ? null : row.id;
}

/**
 * Creates the receiver of a `webhook_url`, in the transaction that accepts its request. The caller holds the lock
 * of the account, so that requests create receivers one after another.
 *
 * @returns its id, which is another one when another request has created it.
 * @throws AppError `too_many_webhooks`.
 */
export async function createReceiver(sql: Sql, receiver: NewReceiver): Promise<string> {
  const values = bound(receiver);
  const [known] = await sql.query<{ id: string }>(...findNew.bind(values));
  if (known !== undefined) return known.id;
  const [requester] = await sql.query<{ mode: KeyMode }>("SELECT mode FROM api_key WHERE id = $1", [
    receiver.keyId,
  ]);
  if (requester === undefined) throw new Error(`there is no key ${receiver.keyId}`);
  const { mode } = requester;
  const max = quotas.webhookUrls[mode];
  const created = await sql.query(...create.bind({ ...values, id: receiver.id, mode, max }));
  if (created.length === 0) throw tooManyReceivers(max);
  return receiver.id;
}

const bound = ({ accountId, keyId, url }: Receiver) => ({
  accountId,
  keyId,
  url: withoutQuery(url),
});

const isReceiver =
  "webhook.account_id = :accountId AND key_id = :keyId AND url = :url AND requested_at IS NOT NULL";

const find = statement(
  ["accountId", "keyId", "url"],
  `SELECT CASE (SELECT mode FROM api_key WHERE id = :keyId)
            WHEN 'test' THEN EXISTS (SELECT FROM test_webhook_secret WHERE account_id = :accountId)
            ELSE EXISTS (SELECT FROM webhook_secret WHERE account_id = :accountId) END AS "hasSecret", id,
          coalesce(disabled_at IS NULL AND requested_at > now() - interval '1 hour', false) AS "isCurrent"
     FROM (SELECT) AS one LEFT JOIN webhook ON ${isReceiver}`,
);

const findNew = statement(
  ["accountId", "keyId", "url"],
  `SELECT id FROM webhook WHERE ${isReceiver}`,
);

const use = statement(
  ["id"],
  `UPDATE webhook
      SET requested_at = now(), disabled_at = NULL,
          failing_since = CASE WHEN disabled_at IS NULL THEN failing_since END,
          paused_until = CASE WHEN disabled_at IS NULL THEN paused_until END
    WHERE id = :id RETURNING id`,
);

// The number of failures begins with one: until a URL has accepted a delivery, it is tried with one request at
// a time, beside those that work.
const create = statement(
  ["id", "accountId", "keyId", "url", "mode", "max"],
  `INSERT INTO webhook (id, account_id, key_id, url, events, secret, requested_at, failures)
   SELECT :id, :accountId, :keyId, :url, '{}', '', now(), 1
    WHERE (SELECT count(DISTINCT url) FROM webhook JOIN api_key AS maker ON maker.id = key_id
            WHERE webhook.account_id = :accountId AND requested_at IS NOT NULL AND url <> :url
              AND maker.mode = :mode AND ${isValidKey("maker")}) < :max
   RETURNING id`,
);

function tooManyReceivers(max: number): AppError {
  return new AppError(
    "too_many_webhooks",
    `The account has named ${max} URLs as webhook_url in the last ten days, which is the limit; the query of a URL does not count, and test keys have a limit of their own. Use one of GET /v1/webhooks?kind=request, and pass what differs in its query or in metadata, or revoke keys that are not needed.`,
    { details: { max_webhook_urls: max } },
  );
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Where the events of a job are sent. */
interface JobWebhook {
  readonly url: string;
  readonly events: JobEventType[];
}

/** Where the events of some jobs are sent, by the ids of the jobs. */
export async function findJobWebhooks(
  sql: Sql,
  generationIds: readonly string[],
): Promise<ReadonlyMap<string, JobWebhook>> {
  const rows = await sql.query<JobWebhook & { readonly id: string }>(
    "SELECT generation_id AS id, url, events FROM generation_webhook WHERE generation_id = ANY ($1::uuid[])",
    [generationIds],
  );
  return new Map(rows.map(({ id, ...webhook }) => [id, webhook]));
}

const batch = 1_000;

/**
 * Deletes a batch of expired URLs of jobs, oldest first, and the receivers that no request has named for as
 * long.
 *
 * @returns whether there may be more.
 */
export async function deleteExpiredReceivers(sql: Sql): Promise<boolean> {
  const deleted = await sql.query(
    `DELETE FROM generation_webhook WHERE generation_id IN (
       SELECT generation_id FROM generation_webhook
        WHERE generation_id < (SELECT uuidv7(interval '-${receiversKeptFor}'))
        ORDER BY generation_id LIMIT ${batch})
     RETURNING generation_id`,
  );
  if (deleted.length === batch) return true;
  await sql.query(
    `DELETE FROM webhook WHERE requested_at < now() - interval '${receiversKeptFor}'`,
  );
  return false;
}
