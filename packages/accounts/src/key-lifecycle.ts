import { statement, type Sql } from "@atelier/database";
import { hashKey, makeKey } from "./key-format.ts";

/** @returns whether there was such a key that was not revoked yet. */
export async function revokeKey(sql: Sql, keyId: string): Promise<boolean> {
  const revoked = await sql.query(
    "UPDATE api_key SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id",
    [keyId],
  );
  return revoked.length > 0;
}

/**
 * Replaces a key by a new one with the same id, settings and spending. The old one works for the grace
 * period; one that was still in such a period ends now.
 *
 * @param target.graceMs grace period in milliseconds.
 * @returns the new key, which can't be read again; null when there is no such key or it was revoked.
 */
export async function rotateKey(
  sql: Sql,
  target: { readonly keyId: string; readonly pepper: string; readonly graceMs: number },
): Promise<string | null> {
  const key = makeKey();
  const rotated = await sql.query(
    ...replaceKey.bind({
      keyId: target.keyId,
      hash: hashKey(key, target.pepper),
      lastFour: key.slice(-4),
      graceMs: target.graceMs,
    }),
  );
  return rotated.length > 0 ? key : null;
}

const replaceKey = statement(
  ["keyId", "hash", "lastFour", "graceMs"],
  `UPDATE api_key
        SET previous_hash = hash, previous_expires_at = now() + :graceMs * interval '1 ms',
            hash = :hash, last_four = :lastFour
      WHERE id = :keyId AND revoked_at IS NULL RETURNING id`,
);

/** Counts keys of an account that are neither revoked nor expired. */
export async function countLiveKeys(sql: Sql, accountId: string): Promise<number> {
  const [live] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_key
      WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [accountId],
  );
  return live?.count ?? 0;
}

/** The time in a number of days, by the database's clock. */
export async function timeInDays(sql: Sql, days: number): Promise<Date> {
  const [row] = await sql.query<{ time: Date }>(
    "SELECT now() + $1::int * interval '1 day' AS time",
    [days],
  );
  if (row === undefined) throw new Error("the time is one row");
  return row.time;
}
