import type { Sql } from "@atelier/database";
import { notifyKeeping } from "./keeping-channel.ts";

/** Deletes an item in one statement: its size is no longer counted, and workers remove its files. */
export async function releaseItem(sql: Sql, itemId: string): Promise<void> {
  await sql.query(
    `WITH released AS (
       DELETE FROM kept_item WHERE id = $1 RETURNING account_id, size_bytes
     ), hidden AS (
       UPDATE kept_file SET deleted_at = now() WHERE item_id = $1 AND deleted_at IS NULL
     )
     UPDATE account SET kept_bytes = kept_bytes - released.size_bytes
       FROM released WHERE account.id = released.account_id
     RETURNING ${notifyKeeping}`,
    [itemId],
  );
}
