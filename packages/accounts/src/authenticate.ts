import { statement, type Sql, type Statement } from "@atelier/database";
import { pepperId, type Peppers } from "@atelier/kit";
import type { KeyMode, KeyScope, Strictness } from "@atelier/schemas";
import type { KeyRefusal } from "./refusals.ts";
import { hashesOf, isWellFormedKey } from "./key-format.ts";
import {
  accountBucket,
  bucketColumns,
  createMissing,
  keyBucket,
  limitParameterNames,
  limitParameters,
  noLease,
  readState,
  takeFrom,
  type BucketRow,
  type Lease,
  type LeaseDemand,
  type RateLimit,
  type RateLimitState,
} from "./rate-limit.ts";

/** Channel on which triggers send the id of an account when the rights of its keys change. */
export const callerChannel = "caller_change";

/** Proof of a request's identity: an API key, or a session of Studio. */
export type Credential =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "session"; readonly id: string };

/** The account behind a key, and the permissions of the key. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  /** Whether its jobs are live, or free tests. */
  readonly mode: KeyMode;
  readonly strictness: Strictness;
  readonly suspended: boolean;
  /** Null for a key that is valid. */
  readonly refusal: KeyRefusal | null;
  readonly scopes: readonly KeyScope[];
  /** The models that the key may use; empty for all. */
  readonly models: readonly string[];
  readonly hasBudget: boolean;
  /** The shared budget that it spends from as well; null for none. */
  readonly budgetId: string | null;
  readonly expiresAt: Date | null;
  /** The key that created this one; null for keys of the operator. */
  readonly parentId: string | null;
  /** The request uses a secret in its grace period, or a session that was opened with one. */
  readonly isSuperseded: boolean;
  /** End of the credential, before or with that of the key: of a grace period or a session. */
  readonly credentialEndsAt: Date | null;
  /** Hashes of the secret of the request with all accepted peppers; null for a session. */
  readonly secretHashes: readonly Uint8Array[] | null;
  /** Session of the request; null for a key. */
  readonly sessionId: string | null;
}

/**
 * SQL that finds the key of a secret by a list of its hashes. The list has as many parameters as there are hashes,
 * instead of an array, for which Postgres would plan each execution. A rotated key is found by its previous hash
 * during its grace period.
 */
const keyOfSecret = (hashes: string) => `
          SELECT api_key.*, false AS is_superseded, NULL::timestamptz AS ends_at,
                 NULL::uuid AS session_id, last_used_at AS used_at
            FROM api_key WHERE hash IN (${hashes})
          UNION ALL
          SELECT api_key.*, true, previous_expires_at, NULL, last_used_at
            FROM api_key WHERE previous_hash IN (${hashes}) AND previous_expires_at > now()`;

/** SQL that finds the key of a session. */
const keyOfSession = (session: string) => `
          SELECT api_key.*, session.is_superseded, session.expires_at AS ends_at, session.id AS session_id,
                 least(coalesce(api_key.last_used_at, '-infinity'), session.last_used_at) AS used_at
            FROM studio_session AS session JOIN api_key ON api_key.id = session.key_id
           WHERE session.id = ${session} AND session.expires_at > now()`;

/** A query for the caller of a secret or of a session. */
export const callerOf = (hashes: string, session: string) =>
  callerIn(`${keyOfSecret(hashes)} UNION ALL ${keyOfSession(session)}`);

/**
 * A query for the caller of the keys of another one, which adds the properties of their credentials.
 *
 * @param more further columns, each after a comma.
 */
const callerIn = (keys: string, more = "") => `
  SELECT found.id AS "keyId", account.id AS "accountId", mode, strictness,
         suspended_at IS NOT NULL AS suspended,
         CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
              WHEN expires_at <= now() THEN 'expired' END AS refusal,
         scopes, models, budget_micro_eur IS NOT NULL AS "hasBudget", budget_id AS "budgetId", expires_at AS "expiresAt",
         parent_id AS "parentId", is_superseded AS "isSuperseded", ends_at AS "credentialEndsAt",
         session_id AS "sessionId"${more}
    FROM (${keys}
         ) AS found
    JOIN account ON account.id = account_id`;

/** The caller behind a key; null when the key is malformed, unknown, revoked or expired. */
export async function authenticate(
  sql: Sql,
  key: string,
  peppers: Peppers,
): Promise<Caller | null> {
  if (!isWellFormedKey(key)) return null;
  const secretHashes = hashesOf(key, peppers);
  const hashes = secretHashes.map((_, index) => `$${index + 1}`).join(", ");
  const [caller] = await sql.query<FoundCaller>(callerIn(keyOfSecret(hashes)), secretHashes);
  return caller === undefined || caller.refusal !== null ? null : { ...caller, secretHashes };
}

/**
 * Finds the caller of a key by its id, for requests that it made earlier: with its rights of now, whatever its
 * secret is.
 */
export async function findCallerOfKey(sql: Sql, keyId: string): Promise<Caller | null> {
  const [caller] = await sql.query<FoundCaller>(
    callerIn(
      "SELECT api_key.*, false AS is_superseded, NULL::timestamptz AS ends_at, NULL::uuid AS session_id FROM api_key WHERE id = $1",
    ),
    [keyId],
  );
  return caller === undefined ? null : { ...caller, secretHashes: null };
}

/** A row of `callerOf`. */
export type FoundCaller = Omit<Caller, "secretHashes">;

/** The caller, and the state of the bucket that the request was taken from. */
export interface Admission {
  readonly caller: Caller;
  readonly limit: RateLimitState;
  readonly lease: Lease;
}

const nothingLeased: Lease = { requests: 0, durationMs: 0 };

/**
 * Authenticates a key or a session and takes the request from the limits of key and account, in one statement,
 * since every request begins with it. Refused keys and suspended accounts take nothing. Further statements create
 * missing buckets, and once a minute record when the key was used and move a key that was hashed with an old pepper
 * to the current one.
 *
 * @param demand the requests to take in advance and to return; nothing is returned when the request is refused.
 * @returns null when the key is malformed or unknown, or the session has ended.
 * @throws BucketBusyError as `takeFromLimit` does.
 */
export async function authenticateAndLimit(
  sql: Sql,
  credential: Credential,
  peppers: Peppers,
  limit: RateLimit,
  demand: LeaseDemand = noLease,
): Promise<Admission | null> {
  if (credential.kind === "key" && !isWellFormedKey(credential.key)) return null;
  const secretHashes = credential.kind === "key" ? hashesOf(credential.key, peppers) : null;
  const admitted =
    credential.kind === "key"
      ? admitSecret(peppers.length).bind({
          ...limitParameters(limit, demand),
          ...Object.fromEntries(
            hashNames(peppers.length).map((name, index) => [name, secretHashes?.[index] ?? null]),
          ),
        })
      : admitSession.bind({ ...limitParameters(limit, demand), sessionId: credential.id });
  const [row] = await sql.query<FoundCaller & BucketRow & { readonly isUseDue: boolean }>(
    ...admitted,
  );
  if (row === undefined) return null;
  const caller = { ...withoutBuckets(row), secretHashes };
  const { keyId, suspended, refusal, sessionId } = caller;
  if (suspended || refusal !== null) {
    return { caller, limit: { allowed: false, backlogMs: 0 }, lease: nothingLeased };
  }
  const state = readState(row, buckets);
  if (state === null) {
    await createMissing(sql, limit, caller);
    return authenticateAndLimit(sql, credential, peppers, limit, demand);
  }
  if (row.isUseDue) {
    await sql.query(
      ...recordUse.bind({
        keyId,
        sessionId,
        secretHashes,
        currentHash: secretHashes?.[0] ?? null,
        pepperId: pepperId(peppers[0]),
      }),
    );
  }
  const { leased, leaseMs } = row;
  const isLeased = state.allowed && leased != null && leaseMs != null;
  return {
    caller,
    limit: state,
    lease: isLeased ? { requests: leased, durationMs: leaseMs } : nothingLeased,
  };
}

function withoutBuckets(row: FoundCaller): FoundCaller {
  return {
    keyId: row.keyId,
    accountId: row.accountId,
    mode: row.mode,
    strictness: row.strictness,
    suspended: row.suspended,
    refusal: row.refusal,
    scopes: row.scopes,
    models: row.models,
    hasBudget: row.hasBudget,
    budgetId: row.budgetId,
    expiresAt: row.expiresAt,
    parentId: row.parentId,
    isSuperseded: row.isSuperseded,
    credentialEndsAt: row.credentialEndsAt,
    sessionId: row.sessionId,
  };
}

/** A refused request takes nothing from either. */
const buckets = [keyBucket, accountBucket];

/** The statement for a secret and a number of accepted peppers. */
function admitSecret(count: number): Statement<string> {
  const known = admitByCount.get(count);
  if (known !== undefined) return known;
  const names = hashNames(count);
  const hashes = names.map((name) => `:${name}::bytea`).join(", ");
  const created = admit(names, keyOfSecret(hashes));
  admitByCount.set(count, created);
  return created;
}

const admitByCount = new Map<number, Statement<string>>();

const hashNames = (count: number) => Array.from({ length: count }, (_, index) => `hash${index}`);

/** SQL condition on the time of a last use: it is to be recorded. */
const isUnrecorded = (usedAt: string) =>
  `(${usedAt} IS NULL OR ${usedAt} < now() - interval '1 minute')`;

/** Its plan has no part that only some requests need: Postgres prepares all parts each time. */
const admit = (names: readonly string[], keys: string) =>
  statement<string>(
    [...limitParameterNames, ...names],
    `WITH caller AS (${callerIn(keys, `, ${isUnrecorded("used_at")} AS "isUseDue"`)}),
       active AS (SELECT "keyId", "accountId", mode FROM caller WHERE NOT suspended AND refusal IS NULL),
       ${takeFrom("active", buckets)}
     SELECT caller.*, ${bucketColumns(buckets)} FROM caller`,
  );

const admitSession = admit(["sessionId"], keyOfSession(":sessionId::uuid"));

const recordUse = statement(
  ["keyId", "sessionId", "secretHashes", "currentHash", "pepperId"],
  `WITH used_session AS (
     UPDATE studio_session SET last_used_at = now()
      WHERE id = (SELECT id FROM studio_session WHERE id = :sessionId::uuid AND ${isUnrecorded("last_used_at")}
                     FOR NO KEY UPDATE SKIP LOCKED)
   )
   UPDATE api_key
      SET last_used_at = now(),
          hash = CASE WHEN hash = ANY (:secretHashes::bytea[]) THEN :currentHash::bytea ELSE hash END,
          previous_hash = CASE WHEN previous_hash = ANY (:secretHashes) THEN :currentHash
                               ELSE previous_hash END,
          pepper_id = CASE WHEN hash = ANY (:secretHashes)
                            AND (previous_hash IS NULL OR previous_expires_at <= now())
                           THEN :pepperId ELSE pepper_id END
    WHERE id = (SELECT id FROM api_key WHERE id = :keyId::uuid AND ${isUnrecorded("last_used_at")}
                   FOR NO KEY UPDATE SKIP LOCKED)`,
);
