import { lockRights, type Caller } from "@atelier/accounts";
import { statement, type Database } from "@atelier/database";
import { AppError, type MemberKind } from "@atelier/schemas";
import { lockKeptFiles, releaseItem } from "../library/release-item.ts";
import { lockMember, type MemberTarget } from "./lock-member.ts";
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
  target: MemberTarget,
): Promise<void> {
  const { kind, id, accountId } = target;
  let isDeleted = false;
  return database.transaction(async (sql) => {
    const found = await lockMember(sql, target);
    // The transaction was committed, and its response lost.
    if (found === null && isDeleted) return;
    if (found === null) throw memberNotFound(kind);
    const keys = await lockKeptFiles(sql, id);
    await lockRights(sql, caller, "generate");
    const used = await sql.query(...users.bind({ accountId, keys }));
    if (used.length > 0) throw memberInUse(kind);
    await releaseItem(sql, id);
    await sql.query("DELETE FROM cast_member WHERE id = $1", [id]);
    isDeleted = true;
  });
}

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
