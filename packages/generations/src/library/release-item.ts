import type { Sql } from "@atelier/database";
import { notifyKeeping } from "./keeping-channel.ts";

/** Locks the files of an item, before the account. */
export async function lockKeptFiles(sql: Sql, itemId: string): Promise<string[]> {
  const files = await sql.query<{ key: string }>(
    `SELECT storage_key AS key FROM kept_file
      WHERE item_id = $1 AND deleted_at IS NULL ORDER BY storage_key FOR UPDATE`,
    [itemId],
  );
  return files.map(({ key }) => key);
}

/**
 * Deletes an item: its size is no longer counted, and workers remove its files.
 *
 * @param sql a transaction that holds the locks of the item and its files, if it holds that of the account.
 */
export async function releaseItem(sql: Sql, itemId: string): Promise<void> {
  const [released] = await sql.query<{ accountId: string; sizeBytes: bigint }>(
    `DELETE FROM kept_item WHERE id = $1 RETURNING account_id AS "accountId", size_bytes AS "sizeBytes"`,
    [itemId],
  );
  await sql.query(
    "UPDATE kept_file SET deleted_at = now() WHERE item_id = $1 AND deleted_at IS NULL",
    [itemId],
  );
  if (released === undefined) return;
  await sql.query(
    `UPDATE account SET kept_bytes = kept_bytes - $2 WHERE id = $1 RETURNING ${notifyKeeping}`,
    [released.accountId, released.sizeBytes],
  );
}
