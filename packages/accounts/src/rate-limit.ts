import type { Sql } from "@atelier/database";

/** How many requests of one kind a key may send. */
export interface RateLimit {
  /** The name of the kind: each has a bucket of its own. */
  readonly policy: string;
  /** The size of a full bucket, which refills evenly in a minute. */
  readonly perMinute: number;
}

/** What a request found in its bucket. */
export interface RateLimitState {
  /** Whether there was room for it: what found none took nothing. */
  readonly allowed: boolean;
  /** How long until the bucket is full again. */
  readonly backlogMs: number;
}

export const rateLimitWindowMs = 60_000;

/**
 * Takes one request out of a key's bucket, by the generic cell rate algorithm: a full bucket allows a
 * burst of `perMinute`. It is counted in the database, so that all API processes agree, by the
 * database's clock.
 */
export async function takeFromLimit(
  sql: Sql,
  keyId: string,
  limit: RateLimit,
): Promise<RateLimitState> {
  const [taken] = await sql.query<{ backlogMs: number }>(
    `WITH caller AS (SELECT $4::uuid AS "keyId") ${takeFor("caller")}`,
    [...limitParameters(limit), keyId],
  );
  return stateOf(taken?.backlogMs ?? null);
}

/** What `takeFor` has for `$1`, `$2` and `$3`. */
export function limitParameters({ policy, perMinute }: RateLimit): readonly unknown[] {
  return [policy, rateLimitWindowMs / perMinute, rateLimitWindowMs];
}

/**
 * The statement that takes a request out of the bucket of each `"keyId"` in a relation; its
 * `"backlogMs"` comes back where there was room.
 */
export function takeFor(relation: string): string {
  return `INSERT INTO rate_limit AS bucket (key, theoretical_arrival_at)
          SELECT $1 || ':' || "keyId", now() + $2::float8 * interval '1 ms' FROM ${relation}
          ON CONFLICT (key) DO UPDATE
            SET theoretical_arrival_at =
              greatest(bucket.theoretical_arrival_at, now()) + $2::float8 * interval '1 ms'
            WHERE bucket.theoretical_arrival_at <= now() + ($3::float8 - $2::float8) * interval '1 ms'
          RETURNING (extract(epoch FROM theoretical_arrival_at - now()) * 1000)::float8 AS "backlogMs"`;
}

export function stateOf(backlogMs: number | null): RateLimitState {
  return { allowed: backlogMs !== null, backlogMs: backlogMs ?? rateLimitWindowMs };
}
