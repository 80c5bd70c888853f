import { hash } from "node:crypto";
import { hasScopesOfShare } from "@atelier/accounts";
import type { Sql } from "@atelier/database";
import { createItems, type Items } from "./items.ts";

/** A link that shows images of a job to anyone who has it. */
export interface StoredShare {
  readonly id: string;
  readonly jobId: string;
  /** Which of the images or scenes of the job, from 0; null for all. */
  readonly image: number | null;
  readonly isKept: boolean;
  readonly createdAt: Date;
  /** Its end, if nothing changes. */
  readonly endsAt: Date;
}

/** The shares of an installation. */
export type Shares = Items<StoredShare>;

/** SQL condition on a row of `share`: the images of its job are kept. */
const isKept = `EXISTS (
  SELECT FROM kept_item AS item
   WHERE item.id = share.generation_id AND item.status IN ('copying', 'kept'))`;

/**
 * SQL expression over a row of `share`: when it ends. That is the earliest of the requested end, the end of its
 * key, the suspension of its account, and the end of the retention of images that are not kept. A share without
 * its job or account, or without a key that has its scopes, has ended.
 *
 * @param retentionMs the operator's retention of images, in milliseconds.
 */
export const endOfShare = (retentionMs: number) => `coalesce((
  SELECT least(share.expires_at, key.expires_at, key.revoked_at, account.suspended_at, account.erased_at,
               CASE WHEN NOT ${isKept} THEN job.completed_at + interval '1 ms'
                 * least(${retentionMs}::float8, account.retention_hours::float8 * 3600000) END)
    FROM generation AS job JOIN account ON account.id = job.account_id
    JOIN api_key AS key ON key.id = share.key_id AND key.account_id = account.id AND ${hasScopesOfShare("key")}
   WHERE job.id = share.generation_id AND job.account_id = share.account_id), '-infinity')`;

/** @param retentionMs the operator's retention of images, in milliseconds. */
export function createShares(retentionMs: number): Shares {
  return createItems<StoredShare>(
    "shares",
    `id, generation_id AS "jobId", image, ${isKept} AS "isKept", created_at AS "createdAt",
     greatest(${endOfShare(retentionMs)}, created_at) AS "endsAt"`,
  );
}

/** The hash by which a share is found. A token has 128 random bits, so that its hash needs no pepper. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/**
 * Deletes a share of any account, by its id or the hash of its token.
 *
 * @returns its id; null if it does not exist.
 */
export async function removeShare(
  sql: Sql,
  which: { readonly id: string } | { readonly hash: Buffer },
): Promise<string | null> {
  const { id = null, hash: hashed = null } = which as { id?: string; hash?: Buffer };
  const [removed] = await sql.query<{ id: string }>(
    "DELETE FROM share WHERE id = $1 OR hash = $2 RETURNING id",
    [id, hashed],
  );
  return removed?.id ?? null;
}

/**
 * Deletes all shares: a restored database may have some that were stopped or removed since.
 *
 * @returns the number of deleted shares.
 */
export async function endAllShares(sql: Sql): Promise<number> {
  return (await sql.query("DELETE FROM share RETURNING id")).length;
}

/**
 * Deletes shares that have ended.
 *
 * @returns the number of deleted shares, at most `limit`.
 */
export async function forgetShares(
  sql: Sql,
  { retentionMs, limit }: { readonly retentionMs: number; readonly limit: number },
): Promise<number> {
  const deleted = await sql.query(
    `DELETE FROM share WHERE id IN (
       SELECT id FROM share WHERE ${endOfShare(retentionMs)} <= now()
        LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`,
    [limit],
  );
  return deleted.length;
}
