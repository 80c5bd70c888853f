import type { Database, Sql } from "@atelier/database";
import { isReference } from "../retention/retain.ts";

/** A file that is to be copied to where it is kept. */
export interface FileToCopy {
  readonly itemId: string;
  readonly storageKey: string;
  readonly sourceKey: string;
}

/** SQL condition on a `kept_file`: it is to be copied. */
export const isToCopy = "source_key IS NOT NULL AND deleted_at IS NULL";

/** Finds files that are to be copied, in the order of their keys. */
export function findFilesToCopy(
  sql: Sql,
  options: { readonly after: string; readonly limit: number },
): Promise<FileToCopy[]> {
  return sql.query(
    `SELECT item_id AS "itemId", storage_key AS "storageKey", source_key AS "sourceKey" FROM kept_file
      WHERE ${isToCopy} AND storage_key COLLATE "C" > $1
      ORDER BY storage_key COLLATE "C" LIMIT $2`,
    [options.after, options.limit],
  );
}

/** Records that files are copied; their items are kept once all of their files are. Can be repeated. */
export async function markCopied(
  database: Database,
  storageKeys: readonly string[],
): Promise<void> {
  await database.transaction(async (sql) => {
    // Locks first, so that of two processes the second sees all files that the first has copied.
    await sql.query(
      `SELECT FROM kept_item WHERE id IN (SELECT item_id FROM kept_file WHERE storage_key = ANY ($1))
        ORDER BY id FOR NO KEY UPDATE`,
      [storageKeys],
    );
    const copied = await sql.query<{ itemId: string }>(
      `UPDATE kept_file SET source_key = NULL
        WHERE storage_key = ANY ($1) AND source_key IS NOT NULL AND deleted_at IS NULL
       RETURNING item_id AS "itemId"`,
      [storageKeys],
    );
    await sql.query(
      `UPDATE kept_item SET status = 'kept'
        WHERE id = ANY ($1) AND status = 'copying' AND NOT EXISTS (
          SELECT FROM kept_file
           WHERE item_id = kept_item.id AND source_key IS NOT NULL AND deleted_at IS NULL)`,
      [copied.map(({ itemId }) => itemId)],
    );
  });
}

/** A copy may still be written for this long after its file was deleted. */
const longestCopy = "10 minutes";

/** SQL condition on a `kept_file`: it is deleted, no unfinished job uses it and no worker copies it any more. */
export const isToRemove = `deleted_at IS NOT NULL
  AND (source_key IS NULL OR deleted_at < now() - interval '${longestCopy}') AND NOT ${isReference}`;

/**
 * Finds deleted files that no unfinished job uses and no worker copies any more, in the order of their
 * keys.
 *
 * @param options.accountId only those of this account.
 */
export async function findKeptToRemove(
  sql: Sql,
  options: { readonly accountId?: string; readonly after: string; readonly limit: number },
): Promise<string[]> {
  const files = await sql.query<{ storageKey: string }>(
    `SELECT storage_key AS "storageKey" FROM kept_file
      WHERE ${isToRemove} AND storage_key COLLATE "C" > $1
        AND ($3::uuid IS NULL OR account_id = $3)
      ORDER BY storage_key COLLATE "C" LIMIT $2`,
    [options.after, options.limit, options.accountId ?? null],
  );
  return files.map(({ storageKey }) => storageKey);
}

/** The sizes of kept files in pixels, by their keys. */
export async function findKeptSizes(
  sql: Sql,
  storageKeys: readonly string[],
): Promise<ReadonlyMap<string, { readonly width: number; readonly height: number }>> {
  if (storageKeys.length === 0) return new Map();
  const files = await sql.query<{ key: string; width: number; height: number }>(
    "SELECT storage_key AS key, width, height FROM kept_file WHERE storage_key = ANY ($1)",
    [storageKeys],
  );
  return new Map(files.map(({ key, width, height }) => [key, { width, height }]));
}

/** Deletes the rows of files that are removed. */
export async function forgetKept(sql: Sql, storageKeys: readonly string[]): Promise<void> {
  await sql.query("DELETE FROM kept_file WHERE storage_key = ANY ($1) AND deleted_at IS NOT NULL", [
    storageKeys,
  ]);
}

/** Counts the files of an account that are recorded, deleted ones included. */
export async function countKeptFiles(sql: Sql, accountId: string): Promise<number> {
  const [counted] = await sql.query<{ files: number }>(
    "SELECT count(*)::int AS files FROM kept_file WHERE account_id = $1",
    [accountId],
  );
  return counted?.files ?? 0;
}
