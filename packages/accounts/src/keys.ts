import { newId, type Database, type Sql } from "@atelier/database";
import type { Strictness } from "@atelier/schemas";
import { hashKey, isWellFormedKey, makeKey } from "./key-format.ts";
import {
  limitParameters,
  stateOf,
  takeFor,
  type RateLimit,
  type RateLimitState,
} from "./rate-limit.ts";

export interface ApiKeyInfo {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** Makes a key for an account. The key is returned here once and can't be read again. */
export async function createKey(
  database: Database,
  keyOf: { readonly accountId: string; readonly name: string; readonly pepper: string },
): Promise<{ readonly id: string; readonly key: string }> {
  const id = newId();
  const key = makeKey();
  const prisma = await database.prisma();
  await prisma.apiKey.create({
    data: {
      id,
      accountId: keyOf.accountId,
      name: keyOf.name,
      hash: new Uint8Array(hashKey(key, keyOf.pepper)),
      lastFour: key.slice(-4),
    },
  });
  return { id, key };
}

/** The keys of an account, newest first, revoked ones included. */
export async function listKeys(database: Database, accountId: string): Promise<ApiKeyInfo[]> {
  const prisma = await database.prisma();
  return prisma.apiKey.findMany({
    where: { accountId },
    orderBy: { id: "desc" },
    omit: { hash: true, accountId: true },
  });
}

/** @returns whether there was such a key that was not revoked yet. */
export async function revokeKey(database: Database, keyId: string): Promise<boolean> {
  const revoked = await database.query(
    "UPDATE api_key SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id",
    [keyId],
  );
  return revoked.length > 0;
}

/** Who calls: the account behind a key. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly strictness: Strictness;
  readonly suspended: boolean;
}

const callerOf = (hash: string) => `
  SELECT api_key.id AS "keyId", account.id AS "accountId", strictness,
         suspended_at IS NOT NULL AS suspended
    FROM api_key JOIN account ON account.id = account_id
   WHERE hash = ${hash} AND revoked_at IS NULL`;

/** The account that a key opens; null when the key is malformed, unknown or revoked. */
export async function authenticate(sql: Sql, key: string, pepper: string): Promise<Caller | null> {
  if (!isWellFormedKey(key)) return null;
  const [caller] = await sql.query<Caller>(callerOf("$1"), [hashKey(key, pepper)]);
  return caller ?? null;
}

/** Who calls, and what the request found in its bucket. */
export interface Admission {
  readonly caller: Caller;
  readonly limit: RateLimitState;
}

/**
 * `authenticate` and `takeFromLimit` in one statement, for what every request begins with. Suspended
 * accounts take nothing.
 */
export async function authenticateAndLimit(
  sql: Sql,
  key: string,
  pepper: string,
  limit: RateLimit,
): Promise<Admission | null> {
  if (!isWellFormedKey(key)) return null;
  const [row] = await sql.query<Caller & { backlogMs: number | null }>(
    `WITH caller AS (${callerOf("$4")}),
       active AS (SELECT "keyId" FROM caller WHERE NOT suspended),
       taken AS (${takeFor("active")})
     SELECT caller.*, "backlogMs" FROM caller LEFT JOIN taken ON true`,
    [...limitParameters(limit), hashKey(key, pepper)],
  );
  if (row === undefined) return null;
  const { backlogMs, ...caller } = row;
  return { caller, limit: stateOf(backlogMs) };
}
