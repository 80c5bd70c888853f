import { statement, type Sql } from "@atelier/database";
import type { KeyMode } from "@atelier/schemas";

/** The rate limit of one kind of request. */
export interface RateLimit {
  /** The name of the kind: each has a bucket of its own. */
  readonly policy: string;
  /** The size of a full bucket, which refills evenly in a minute. */
  readonly perMinute: number;
  /** Whether its requests may be leased: they are reads, which are repeated often. */
  readonly isLeased?: boolean;
}

/** A limit of one kind of request of a whole account. */
export interface DailyLimit {
  readonly policy: string;
  /** The size of a full bucket, which refills evenly in a day. */
  readonly perDay: number;
}

/** State of a bucket after a request. */
export interface RateLimitState {
  /** Whether the request fits; a refused request takes nothing. */
  readonly allowed: boolean;
  /** Time until the bucket is full again; longer than the window for an overdrawn bucket. */
  readonly backlogMs: number;
}

export const rateLimitWindowMs = 60_000;
const dayMs = 86_400_000;

/**
 * Share of a bucket that all processes together lease in a second. A lease lasts at most a second and is returned
 * within one more, so that leases hold at most twice as much.
 */
const leaseShare = 0.05;

/** Requests that a process takes in advance with one request, and that it took and did not need. */
export interface LeaseDemand {
  readonly wanted: number;
  /** Requests of an earlier lease, which are returned. */
  readonly returned: number;
}

export const noLease: LeaseDemand = { wanted: 0, returned: 0 };

/** Requests of a caller that its process admits without a statement. */
export interface Lease {
  readonly requests: number;
  /** Time until it ends, in milliseconds. */
  readonly durationMs: number;
}

/** The most that charges overdraw a bucket, so that a key waits at most one minute longer. */
const maxBacklogMs = 2 * rateLimitWindowMs;

/** Another transaction holds the row lock of a bucket; the statement changed nothing. */
export class BucketBusyError extends Error {
  override readonly name = "BucketBusyError";

  constructor(ownerId: string) {
    super(`the rate limit of ${ownerId} is locked by another transaction`);
  }
}

/**
 * Takes one request out of a key's bucket, by the generic cell rate algorithm: a full bucket allows a
 * burst of `perMinute`. It is counted in the database, so that all API processes agree, by the
 * database's clock.
 *
 * @throws BucketBusyError instead of waiting for a lock: a statement that waits on a connection which
 *   requests of all keys share would keep them all waiting.
 */
export async function takeFromLimit(
  sql: Sql,
  keyId: string,
  limit: RateLimit,
): Promise<RateLimitState> {
  const [row] = await sql.query<BucketRow>(
    ...takeOne.bind({ ...limitParameters(limit, noLease), keyId }),
  );
  const state = readState(row, [keyBucket]);
  if (state !== null) return state;
  await createMissing(sql, limit, { keyId });
  return takeFromLimit(sql, keyId, limit);
}

/**
 * Takes one request out of an account's bucket of a day, for all of its keys together.
 *
 * @returns the time until the next request fits, in milliseconds; 0 when this one was taken.
 * @throws BucketBusyError instead of waiting for a lock.
 */
export async function takeFromDay(sql: Sql, accountId: string, limit: DailyLimit): Promise<number> {
  const intervalMs = dayMs / limit.perDay;
  const { policy } = limit;
  const [row] = await sql.query<BucketRow>(
    ...takeOneOfDay.bind({ policy, accountId, intervalMs, windowMs: dayMs, ...noLease }),
  );
  const state = readState(row, [dayBucket]);
  if (state !== null) return state.allowed ? 0 : state.backlogMs - dayMs + intervalMs;
  await createMissing(sql, limit, { accountId });
  return takeFromDay(sql, accountId, limit);
}

/**
 * Takes more out of a key's bucket, for a request that was let through and cost more than others. The
 * bucket may be overdrawn by that.
 *
 * @param units in requests.
 * @returns what is left; null when the bucket has been removed or its row is locked: a charge is not
 *   worth a wait.
 */
export async function chargeLimit(
  sql: Sql,
  keyId: string,
  limit: RateLimit,
  units: number,
): Promise<RateLimitState | null> {
  const { policy, intervalMs } = limitParameters(limit, noLease);
  const [charged] = await sql.query<{ backlogMs: number }>(
    ...chargeBucket.bind({ policy, keyId, chargeMs: intervalMs * units, maxBacklogMs }),
  );
  return charged === undefined ? null : { allowed: true, backlogMs: charged.backlogMs };
}

/**
 * Takes a share of a minute's requests out of the buckets of the key that ordered a generation and of
 * its account, whatever their size. The buckets may be overdrawn by that; a missing or locked one is
 * not charged.
 *
 * @param share of the bucket of a key, from 0 to 1.
 */
export async function chargeGeneration(
  sql: Sql,
  generationId: string,
  share: number,
): Promise<void> {
  const keyMs = rateLimitWindowMs * share;
  const accountMs = keyMs / accountBucket.factor;
  await sql.query(...chargeOwners.bind({ generationId, keyMs, accountMs, maxBacklogMs }));
}

/** SQL that keeps the bucket of an account's test keys apart, so that tests do not delay live requests. */
const ofTests = "CASE mode WHEN 'test' THEN '/test' ELSE '' END";

const chargeOwners = statement(
  ["generationId", "keyMs", "accountMs", "maxBacklogMs"],
  `WITH owner AS (
       SELECT 'generate' || ':' || key_id AS bucket, :keyMs::float8 AS charge_ms
         FROM generation WHERE id = :generationId::uuid
       UNION ALL
       SELECT 'generate' || ':' || 'account' || ':' || account_id || ${ofTests}, :accountMs::float8
         FROM generation WHERE id = :generationId::uuid
     ), bucket AS (
       SELECT key, charge_ms FROM rate_limit JOIN owner ON key = bucket FOR UPDATE OF rate_limit SKIP LOCKED
     )
     UPDATE rate_limit SET theoretical_arrival_at = least(
              greatest(theoretical_arrival_at, now()) + charge_ms * interval '1 ms',
              now() + :maxBacklogMs::float8 * interval '1 ms')
       FROM bucket WHERE rate_limit.key = bucket.key`,
);

const millisecondsUntil = (column: string) =>
  `(extract(epoch FROM ${column} - now()) * 1000)::float8`;

const chargeBucket = statement(
  ["policy", "keyId", "chargeMs", "maxBacklogMs"],
  `WITH bucket AS (
       SELECT key FROM rate_limit WHERE key = :policy || ':' || :keyId::text FOR UPDATE SKIP LOCKED
     )
     UPDATE rate_limit SET theoretical_arrival_at = least(
              greatest(theoretical_arrival_at, now()) + :chargeMs::float8 * interval '1 ms',
              now() + :maxBacklogMs::float8 * interval '1 ms')
       FROM bucket WHERE rate_limit.key = bucket.key
     RETURNING ${millisecondsUntil("theoretical_arrival_at")} AS "backlogMs"`,
);

/** The owner whose requests a bucket counts. */
export interface Bucket {
  /** Prefix of the names of its columns. */
  readonly name: "key" | "account";
  /** SQL expression for its owner, over the relation of the caller. */
  readonly owner: string;
  /** Its size, as a multiple of the limit of one key. */
  readonly factor: number;
}

export const keyBucket: Bucket = { name: "key", owner: `"keyId"`, factor: 1 };

/** All live keys of an account together may send three times what one of them may, and all test keys. */
export const accountBucket: Bucket = {
  name: "account",
  owner: `'account:' || "accountId" || ${ofTests}`,
  factor: 3,
};

/** An account with all of its keys, live and test. */
const dayBucket: Bucket = { name: "account", owner: `'account:' || "accountId"`, factor: 1 };

/** The names of the parameters of `takeFrom`. */
export const limitParameterNames = [
  "policy",
  "intervalMs",
  "windowMs",
  "wanted",
  "returned",
] as const;

/** The values of the parameters of `takeFrom`. */
export function limitParameters({ policy, perMinute }: RateLimit, demand: LeaseDemand) {
  const intervalMs = rateLimitWindowMs / perMinute;
  return { policy, intervalMs, windowMs: rateLimitWindowMs, ...demand };
}

/** The names of the common table expressions of `takeFrom`. */
const takingNames = ["bucket", "room", "taken"] as const;

/**
 * Common table expressions that take a request and a lease out of all buckets of the caller in a relation of at
 * most one row, or nothing out of any of them when one is full, locked or missing. What is returned is put back
 * first. They never wait for a row that another transaction has locked.
 */
export function takeFrom(relation: string, buckets: readonly Bucket[]): string {
  const [bucket, room, taken] = takingNames;
  const sizeOf = ":windowMs::float8 / cost_ms";
  return `${bucket} AS MATERIALIZED (
      SELECT name, key AS bucket_key, cost_ms,
             greatest(${millisecondsUntil("theoretical_arrival_at")} - cost_ms * :returned::int, 0) AS backlog_ms,
             CASE WHEN leases_end_at > now() THEN leased ELSE 0 END AS leased_before,
             CASE WHEN leases_end_at > now() THEN leases_end_at ELSE now() + interval '1 s' END AS lease_end
        FROM ${relation} CROSS JOIN LATERAL (VALUES ${buckets.map(ownerRow).join(", ")}) AS owner (name, owner_key, cost_ms)
        JOIN rate_limit ON key = owner_key
         FOR UPDATE OF rate_limit SKIP LOCKED
    ), ${room} AS MATERIALIZED (
      SELECT count(*) = ${buckets.length} AND min(:windowMs::float8 - backlog_ms - cost_ms) >= 0 AS is_enough,
             greatest(0, least(:wanted::int,
               floor(min((:windowMs::float8 - backlog_ms) / cost_ms)) - 1,
               min(floor(${sizeOf} * ${leaseShare}) - leased_before)))::int AS leased_now,
             ${millisecondsUntil("min(lease_end)")} AS lease_ms
        FROM ${bucket}
    ), ${taken} AS (
      UPDATE rate_limit
         SET theoretical_arrival_at = now() + (backlog_ms + cost_ms * (1 + leased_now)) * interval '1 ms',
             leased = leased_before + leased_now,
             leases_end_at = CASE WHEN leased_now > 0 THEN lease_end ELSE leases_end_at END
        FROM ${bucket}, ${room}
       WHERE key = bucket_key AND is_enough
      RETURNING name, backlog_ms + cost_ms * (1 + leased_now) AS taken_ms
    )`;
}

const keyOf = ({ owner }: Bucket) => `:policy || ':' || ${owner}`;
const intervalOf = ({ factor }: Bucket) => `:intervalMs::float8 / ${factor}`;
const ownerRow = (bucket: Bucket) => `('${bucket.name}', ${keyOf(bucket)}, ${intervalOf(bucket)})`;

/** The results of `takeFrom`, as columns of one row. */
export function bucketColumns(buckets: readonly Bucket[]): string {
  const [bucket, room, taken] = takingNames;
  const ofBuckets = buckets.map(
    ({ name }) => `
    (SELECT taken_ms FROM ${taken} WHERE name = '${name}') AS "${name}TakenMs",
    (SELECT backlog_ms FROM ${bucket} WHERE name = '${name}' AND backlog_ms > :windowMs::float8 - cost_ms) AS "${name}FullMs"`,
  );
  return `${ofBuckets.join(",")},
    (SELECT leased_now FROM ${room}) AS leased, (SELECT lease_ms FROM ${room}) AS "leaseMs"`;
}

const takeOne = statement(
  [...limitParameterNames, "keyId"],
  `WITH caller AS (SELECT :keyId::uuid AS "keyId"), ${takeFrom("caller", [keyBucket])}
   SELECT ${bucketColumns([keyBucket])}`,
);

const takeOneOfDay = statement(
  [...limitParameterNames, "accountId"],
  `WITH caller AS (SELECT :accountId::uuid AS "accountId"), ${takeFrom("caller", [dayBucket])}
   SELECT ${bucketColumns([dayBucket])}`,
);

/**
 * A row of `bucketColumns`. `TakenMs` is the backlog with the request, null when nothing was taken;
 * `FullMs` the backlog of a bucket without room for it, null for other buckets.
 */
export type BucketRow = Partial<
  Record<`${Bucket["name"]}${"TakenMs" | "FullMs"}` | "leased" | "leaseMs", number | null>
>;

/**
 * Returns the state of the first bucket that is full, or of the first one when the request was taken from
 * all; null when it was taken from none because one is locked or missing.
 */
export function readState(
  row: BucketRow | undefined,
  buckets: readonly Bucket[],
): RateLimitState | null {
  const full = buckets.map(({ name }) => row?.[`${name}FullMs`] ?? null);
  const fullMs = full.find((backlogMs) => backlogMs !== null);
  if (fullMs != null) return { allowed: false, backlogMs: fullMs };
  const [takenMs = null] = buckets.map(({ name }) => row?.[`${name}TakenMs`] ?? null);
  return takenMs === null ? null : { allowed: true, backlogMs: takenMs };
}

/** The owners of buckets: a key or a webhook, its account, or both. */
interface Owner {
  readonly keyId?: string;
  readonly accountId?: string;
  readonly mode?: KeyMode;
}

/**
 * Handles a request that was taken from no bucket: creates those that are missing, as full ones.
 *
 * @throws BucketBusyError when none was missing, so that one was locked.
 */
export async function createMissing(
  sql: Sql,
  { policy }: Pick<RateLimit, "policy">,
  { keyId, accountId, mode }: Owner,
): Promise<void> {
  const created = await sql.query(
    ...insertBuckets.bind({
      policy,
      keyId: keyId ?? null,
      accountId: accountId ?? null,
      mode: mode ?? null,
    }),
  );
  if (created.length === 0) throw new BucketBusyError(keyId ?? accountId ?? "");
}

const insertBuckets = statement(
  ["policy", "keyId", "accountId", "mode"],
  `INSERT INTO rate_limit (key, theoretical_arrival_at)
   SELECT :policy || ':' || owner, now()
     FROM (SELECT :keyId::uuid AS "keyId", :accountId::uuid AS "accountId", :mode::key_mode AS mode) AS caller,
          LATERAL (VALUES (${keyBucket.owner}::text), (${accountBucket.owner})) AS bucket (owner)
    WHERE owner IS NOT NULL
   ON CONFLICT (key) DO NOTHING
   RETURNING key`,
);

/** Requests of a lease that a caller did not need. */
export interface UnusedLease {
  readonly caller: Required<Owner>;
  readonly requests: number;
}

/** Puts unused requests back into the buckets that they were taken from, except for locked ones. */
export async function returnLeases(
  sql: Sql,
  limit: RateLimit,
  leases: readonly UnusedLease[],
): Promise<void> {
  const { policy, intervalMs } = limitParameters(limit, noLease);
  await sql.query(
    ...putBack.bind({
      policy,
      intervalMs,
      keyIds: leases.map(({ caller }) => caller.keyId),
      accountIds: leases.map(({ caller }) => caller.accountId),
      modes: leases.map(({ caller }) => caller.mode),
      requests: leases.map(({ requests }) => requests),
    }),
  );
}

const putBack = statement(
  ["policy", "intervalMs", "keyIds", "accountIds", "modes", "requests"],
  `WITH returned AS (
       SELECT owner_key, sum(cost_ms * requests) AS returned_ms
         FROM unnest(:keyIds::uuid[], :accountIds::uuid[], :modes::key_mode[], :requests::int[])
              AS caller ("keyId", "accountId", mode, requests),
              LATERAL (VALUES ${[keyBucket, accountBucket].map(ownerRow).join(", ")}) AS owner (name, owner_key, cost_ms)
        GROUP BY owner_key
     ), bucket AS (
       SELECT key AS bucket_key, returned_ms FROM rate_limit JOIN returned ON key = owner_key
          FOR UPDATE OF rate_limit SKIP LOCKED
     )
     UPDATE rate_limit SET theoretical_arrival_at = theoretical_arrival_at - returned_ms * interval '1 ms'
       FROM bucket WHERE key = bucket_key`,
);

/** Deletes buckets that have been full for an hour: a missing bucket counts as full. */
export async function forgetFullBuckets(sql: Sql): Promise<void> {
  await sql.query(
    "DELETE FROM rate_limit WHERE theoretical_arrival_at < now() - interval '1 hour'",
  );
}
