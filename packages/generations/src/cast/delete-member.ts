import { lockRights, type Caller } from "@atelier/accounts";
import { statement, type Database } from "@atelier/database";
import { AppError, type MemberKind } from "@atelier/schemas";
import type { Owner } from "../find.ts";
import { releaseItem } from "../kept/release-item.ts";
import { memberNotFound } from "./member.ts";

/**
 * Deletes a character or location; workers remove its images. Fails while an unfinished job of the account
 * uses one of them.
 *
 * @throws AppError `character_not_found`, `location_not_found`, `images_in_use`, or the reason why the caller
 *   lost its rights.
 */
export function deleteMember(
  database: Database,
  caller: Caller,
  { kind, id, ...owner }: Owner & { readonly kind: MemberKind; readonly id: string },
): Promise<void> {
  const { accountId, keyId = null, mode = null } = owner;
  let isDeleted = false;
  return database.transaction(async (sql) => {
    const found = await sql.query(...locked.bind({ id, kind, accountId, keyId, mode }));
    // The transaction was committed, and its response lost.
    if (found.length === 0 && isDeleted) return;
    if (found.length === 0) throw memberNotFound(kind);
    // Locks first, so that the next statement sees every job that was accepted with one of them. Acceptance
    // locks files before the account, too.
    const files = await sql.query<{ key: string }>(
      `SELECT storage_key AS key FROM kept_file
        WHERE item_id = $1 AND deleted_at IS NULL FOR UPDATE`,
      [id],
    );
    await lockRights(sql, caller, "generate");
    const keys = files.map(({ key }) => key);
    const used = await sql.query(...users.bind({ accountId, keys }));
    if (used.length > 0) throw memberInUse(kind);
    await releaseItem(sql, id);
    await sql.query("DELETE FROM cast_member WHERE id = $1", [id]);
    isDeleted = true;
  });
}

const locked = statement(
  ["id", "kind", "accountId", "keyId", "mode"],
  `SELECT FROM cast_member AS member JOIN kept_item USING (id)
    WHERE id = :id AND member.kind = :kind AND member.account_id = :accountId
      AND (:keyId::uuid IS NULL OR key_id = :keyId) AND (:mode::key_mode IS NULL OR mode = :mode)
      FOR UPDATE`,
);

const users = statement(
  ["accountId", "keys"],
  `SELECT FROM generation JOIN render ON generation_id = generation.id,
          jsonb_array_elements(spec->'references') AS reference
    WHERE account_id = :accountId AND generation.status IN ('pending', 'processing')
      AND finished_at IS NULL AND reference->'source'->>'key' = ANY (:keys::text[]) LIMIT 1`,
);

function memberInUse(kind: MemberKind): AppError {
  return new AppError(
    "images_in_use",
    `An unfinished job uses this ${kind}. Wait until it is done, or cancel it.`,
  );
}
