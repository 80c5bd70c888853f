import { statement, type Sql } from "@atelier/database";
import type { KeyScope, Strictness } from "@atelier/schemas";
import { hashKey, isWellFormedKey } from "./key-format.ts";
import {
  accountBucket,
  bucketColumns,
  keyBucket,
  limitParameterNames,
  limitParameters,
  readState,
  takeFrom,
  type BucketRow,
  type RateLimit,
  type RateLimitState,
} from "./rate-limit.ts";

/** Why a key that exists is refused. */
export type KeyRefusal = "revoked" | "expired";

/** The account behind a key, and the permissions of the key. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly strictness: Strictness;
  readonly suspended: boolean;
  /** Null for a key that is valid. */
  readonly refusal: KeyRefusal | null;
  readonly scopes: readonly KeyScope[];
  /** The models that the key may use; empty for all. */
  readonly models: readonly string[];
  readonly hasBudget: boolean;
  readonly expiresAt: Date | null;
}

/** A rotated key is found by its previous hash during its grace period. */
const callerOf = (hash: string) => `
  SELECT found.id AS "keyId", account.id AS "accountId", strictness,
         suspended_at IS NOT NULL AS suspended,
         CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
              WHEN expires_at <= now() THEN 'expired' END AS refusal,
         scopes, models, budget_micro_eur IS NOT NULL AS "hasBudget", expires_at AS "expiresAt"
    FROM (SELECT * FROM api_key WHERE hash = ${hash}
          UNION ALL
          SELECT * FROM api_key WHERE previous_hash = ${hash} AND previous_expires_at > now()
         ) AS found
    JOIN account ON account.id = account_id`;

/** The caller behind a key; null when the key is malformed, unknown, revoked or expired. */
export async function authenticate(sql: Sql, key: string, pepper: string): Promise<Caller | null> {
  if (!isWellFormedKey(key)) return null;
  const [caller] = await sql.query<Caller>(callerOf("$1"), [hashKey(key, pepper)]);
  return caller === undefined || caller.refusal !== null ? null : caller;
}

/** The caller, and the state of the bucket that the request was taken from. */
export interface Admission {
  readonly caller: Caller;
  readonly limit: RateLimitState;
}

/**
 * Authenticates a key and takes the request from the limits of key and account, in one statement,
 * since every request begins with it. Refused keys and suspended accounts take nothing. Records when
 * the key was used, at most once a minute.
 *
 * @returns null when the key is malformed or unknown.
 * @throws BucketBusyError as `takeFromLimit` does.
 */
export async function authenticateAndLimit(
  sql: Sql,
  key: string,
  pepper: string,
  limit: RateLimit,
): Promise<Admission | null> {
  if (!isWellFormedKey(key)) return null;
  const [row] = await sql.query<Caller & BucketRow>(
    ...admit.bind({ ...limitParameters(limit), keyHash: hashKey(key, pepper) }),
  );
  if (row === undefined) return null;
  const { keyId, accountId, strictness, suspended, refusal, scopes, models, hasBudget, expiresAt } =
    row;
  const caller: Caller = {
    keyId,
    accountId,
    strictness,
    suspended,
    refusal,
    scopes,
    models,
    hasBudget,
    expiresAt,
  };
  if (suspended || refusal !== null) {
    return { caller, limit: { allowed: false, backlogMs: 0 } };
  }
  return { caller, limit: readState(row, buckets, keyId) };
}

/** A refused request takes nothing from either. */
const buckets = [keyBucket, accountBucket];

const admit = statement(
  [...limitParameterNames, "keyHash"],
  `WITH caller AS (${callerOf(":keyHash")}),
       active AS (SELECT "keyId", "accountId" FROM caller WHERE NOT suspended AND refusal IS NULL),
       ${takeFrom("active", buckets)},
       used AS (
         UPDATE api_key SET last_used_at = now()
          WHERE id = (SELECT id FROM api_key JOIN active ON id = "keyId"
                       WHERE last_used_at IS NULL OR last_used_at < now() - interval '1 minute'
                         FOR NO KEY UPDATE OF api_key SKIP LOCKED)
       )
     SELECT caller.*, ${bucketColumns(keyBucket)}, ${bucketColumns(accountBucket)} FROM caller`,
);
