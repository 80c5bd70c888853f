import type { Database, Sql } from "@atelier/database";
import type { MemberKind } from "@atelier/schemas";
import { lockMember, type StoredLook } from "../cast/lock-member.ts";
import { replaceFiles } from "./replace-files.ts";

/** Files of a kept item whose sources the storage does not have. */
interface LostFiles {
  readonly itemId: string;
  readonly storageKeys: readonly string[];
}

/**
 * Gives up files that the storage has lost before they were copied. A character or location that has other
 * files loses only these looks; every other item is refused, and its images follow the retention. Files that
 * have been deleted, replaced or copied meanwhile change nothing. Can be repeated.
 */
export function giveUpLost(database: Database, { itemId, storageKeys }: LostFiles): Promise<void> {
  return database.transaction(async (sql) => {
    const item = await findItem(sql, itemId);
    if (item === undefined) return;
    const { kind, accountId } = item;
    const member = kind === "job" ? null : await lockMember(sql, { id: itemId, kind, accountId });
    await sql.query("SELECT FROM kept_item WHERE id = $1 FOR UPDATE", [itemId]);
    const files = await lockFiles(sql, itemId);
    const lost = files.filter((file) => !file.isCopied && storageKeys.includes(file.storageKey));
    if (lost.length === 0) return;
    if (member === null || !files.some(({ isCopied }) => isCopied)) {
      await refuseItem(sql, itemId);
      return;
    }
    const removed = lost.map(({ storageKey }) => storageKey);
    const { mode } = member;
    await replaceFiles(sql, { itemId, accountId, mode, removed, added: [], quotaBytes: 0 });
    await sql.query("UPDATE cast_member SET looks = $2::jsonb WHERE id = $1", [
      itemId,
      JSON.stringify(withoutImages(member.looks, removed)),
    ]);
  });
}

async function findItem(sql: Sql, itemId: string) {
  const [item] = await sql.query<{ kind: "job" | MemberKind; accountId: string }>(
    `SELECT kind, account_id AS "accountId" FROM kept_item WHERE id = $1`,
    [itemId],
  );
  return item;
}

function lockFiles(sql: Sql, itemId: string) {
  return sql.query<{ storageKey: string; isCopied: boolean }>(
    `SELECT storage_key AS "storageKey", source_key IS NULL AS "isCopied" FROM kept_file
      WHERE item_id = $1 AND deleted_at IS NULL ORDER BY storage_key FOR UPDATE`,
    [itemId],
  );
}

/** The looks without those of the files. The normal look stays without its image, until it has another. */
function withoutImages(looks: readonly StoredLook[], removed: readonly string[]): StoredLook[] {
  return looks.flatMap((look) => {
    const { storageKey, ...texts } = look;
    if (storageKey === undefined || !removed.includes(storageKey)) return [look];
    return look.state === null ? [texts] : [];
  });
}

async function refuseItem(sql: Sql, itemId: string): Promise<void> {
  await sql.query(
    `WITH item AS (
       SELECT id, account_id, size_bytes FROM kept_item WHERE id = $1 FOR NO KEY UPDATE
     ), refused AS (
       UPDATE kept_item SET status = 'refused', size_bytes = 0 WHERE id = $1
     ), hidden AS (
       UPDATE kept_file SET deleted_at = now() WHERE item_id = $1 AND deleted_at IS NULL
     )
     UPDATE account SET kept_bytes = kept_bytes - item.size_bytes FROM item WHERE account.id = item.account_id`,
    [itemId],
  );
}
