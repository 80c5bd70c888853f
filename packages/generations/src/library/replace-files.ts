import { statement, type Sql } from "@atelier/database";
import { notifyKeeping } from "./keeping-channel.ts";
import { assertQuota, type FileToKeep, type KeepQuota } from "./reserve.ts";

/** Files of a kept item that are replaced by others. */
interface Replacement extends KeepQuota {
  readonly itemId: string;
  /** Keys of files that the item no longer needs. */
  readonly removed: readonly string[];
  readonly added: readonly FileToKeep[];
}

/**
 * Replaces files of a kept item: workers copy the new ones, and remove the others as soon as no unfinished
 * job uses them. The caller holds the locks of the item, the account and the images.
 *
 * @throws AppError `keep_quota_exceeded` when the quota has no room for the difference.
 */
export async function replaceFiles(sql: Sql, replacement: Replacement): Promise<void> {
  const { itemId, accountId, removed, added } = replacement;
  const hidden = await sql.query<{ sizeBytes: number }>(
    `UPDATE kept_file SET deleted_at = now()
      WHERE item_id = $1 AND storage_key = ANY ($2::text[]) AND deleted_at IS NULL
     RETURNING size_bytes AS "sizeBytes"`,
    [itemId, removed],
  );
  const sum = (files: readonly { readonly sizeBytes: number }[]) =>
    files.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
  const moreBytes = sum(added) - sum(hidden);
  await assertQuota(sql, replacement, moreBytes);
  await sql.query(...replace.bind({ itemId, accountId, moreBytes, files: JSON.stringify(added) }));
  await sql.query(
    `UPDATE kept_item SET status = (CASE WHEN EXISTS (
         SELECT FROM kept_file WHERE item_id = $1 AND source_key IS NOT NULL AND deleted_at IS NULL)
       THEN 'copying' ELSE 'kept' END)::kept_status WHERE id = $1 RETURNING ${notifyKeeping}`,
    [itemId],
  );
}

const replace = statement(
  ["itemId", "accountId", "moreBytes", "files"],
  `WITH counted AS (
     UPDATE account SET kept_bytes = kept_bytes + :moreBytes::bigint WHERE id = :accountId
   ), item AS (
     UPDATE kept_item SET size_bytes = size_bytes + :moreBytes WHERE id = :itemId
   )
   INSERT INTO kept_file (storage_key, item_id, account_id, render_id, format, source_key, sha256,
                          size_bytes, width, height)
   SELECT "storageKey", :itemId::uuid, :accountId::uuid, "renderId", format, "sourceKey", sha256, "sizeBytes",
          width, height
     FROM jsonb_to_recordset(:files::jsonb) AS file (
       "storageKey" text, "renderId" uuid, format image_format, "sourceKey" text, sha256 text,
       "sizeBytes" int, width int, height int)`,
);
