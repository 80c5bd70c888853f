import { lockAccount } from "@atelier/accounts";
import { newId, statement, type Database, type Sql } from "@atelier/database";
import type { JobEventType } from "@atelier/schemas";

/** URLs without their query that an account may name as `webhook_url` in `receiversKeptFor`. */
export const maxReceivers = 100;

/** Retention of a receiver after its last request, and of a job's URL: longer than that of deliveries. */
const receiversKeptFor = "10 days";

/** Where a request wants the events of its job. */
interface Receiver {
  readonly accountId: string;
  /** The requesting key, with which the receiver ends. */
  readonly keyId: string;
  readonly url: string;
}

/** The receiver of a request, or why there is none. */
export type ReceiverResult =
  | { readonly kind: "found"; readonly id: string }
  /** The account has no secret that signs the deliveries. */
  | { readonly kind: "secret-missing" }
  | { readonly kind: "too-many" };

/**
 * Finds the receiver of a `webhook_url`, or creates it: a webhook that is sent only the events of jobs whose
 * request named its URL. URLs that differ in their query share one. A receiver that was disabled because it
 * failed is tried again.
 */
export async function findReceiver(
  database: Database,
  receiver: Receiver,
  max = maxReceivers,
): Promise<ReceiverResult> {
  const known = await findKnown(database, receiver);
  if (known !== null) return known;
  return database.transaction(async (sql): Promise<ReceiverResult> => {
    // One request of an account creates receivers at a time.
    await lockAccount(sql, receiver.accountId);
    const found = await findKnown(sql, receiver);
    if (found !== null) return found;
    const id = newId();
    const created = await sql.query(...create.bind({ ...bound(receiver), id, max }));
    return created.length === 0 ? { kind: "too-many" } : { kind: "found", id };
  });
}

const bound = ({ accountId, keyId, url }: Receiver) => ({
  accountId,
  keyId,
  url: withoutQuery(url),
});

/** Null when the receiver has to be created or marked as used. */
async function findKnown(sql: Sql, receiver: Receiver): Promise<ReceiverResult | null> {
  const [row] = await sql.query<{ hasSecret: boolean; id: string | null; isCurrent: boolean }>(
    ...find.bind(bound(receiver)),
  );
  if (row?.hasSecret !== true) return { kind: "secret-missing" };
  if (row.id === null) return null;
  if (!row.isCurrent) {
    const used = await sql.query(...use.bind({ id: row.id }));
    // The sweep has deleted it in the meantime.
    if (used.length === 0) return null;
  }
  return { kind: "found", id: row.id };
}

const find = statement(
  ["accountId", "keyId", "url"],
  `SELECT EXISTS (SELECT FROM webhook_secret WHERE account_id = :accountId) AS "hasSecret", id,
          coalesce(disabled_at IS NULL AND requested_at > now() - interval '1 hour', false) AS "isCurrent"
     FROM (SELECT) AS one LEFT JOIN webhook
       ON account_id = :accountId AND key_id = :keyId AND url = :url AND requested_at IS NOT NULL`,
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
  ["id", "accountId", "keyId", "url", "max"],
  `INSERT INTO webhook (id, account_id, key_id, url, events, secret, requested_at, failures)
   SELECT :id, :accountId, :keyId, :url, '{}', '', now(), 1
    WHERE (SELECT count(*) FROM webhook WHERE account_id = :accountId AND requested_at IS NOT NULL) < :max
   RETURNING id`,
);

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
