import { statement, type Database } from "@atelier/database";
import { endLineage } from "./key-lifecycle.ts";
import { isValidKey } from "./key-conditions.ts";
import { lockAccount, lockSessions, rightsChannel } from "./manage.ts";
import { deletePersonalData } from "./members.ts";

/**
 * SQL condition on a member and its key: nobody accepted the invitation since its last link was created, or the
 * member has been disabled for that long. A new link sets the end of the grace period of the secret that it replaces
 * to its own time. The last owner of an account stays.
 */
const isForgettable = `
  CASE WHEN key.revoked_at IS NOT NULL THEN key.revoked_at
       WHEN subject IS NULL AND key.last_used_at IS NULL
       THEN greatest(member.created_at, key.previous_expires_at) END < now() - :olderThanMs * interval '1 ms'
  AND (role <> 'owner' OR key.revoked_at IS NOT NULL OR EXISTS (
    SELECT FROM member AS other JOIN api_key AS key_of_other ON key_of_other.id = other.key_id
     WHERE other.account_id = member.account_id AND other.role = 'owner' AND other.id <> member.id
       AND ${isValidKey("key_of_other")}))`;

const findForgettable = statement(
  ["olderThanMs", "limit"],
  `SELECT member.id, member.account_id AS "accountId", key_id AS "keyId"
     FROM member JOIN api_key AS key ON key.id = key_id
    WHERE ${isForgettable} ORDER BY member.id LIMIT :limit`,
);

const checkForgettable = statement(
  ["olderThanMs", "id"],
  `SELECT FROM member JOIN api_key AS key ON key.id = key_id
    WHERE member.id = :id AND ${isForgettable} FOR UPDATE OF member`,
);

/**
 * Removes members whose invitation nobody accepted, and members who have been disabled, for some time: their names,
 * e-mail addresses and identities are deleted.
 *
 * @param options.olderThanMs time since the last link of an invitation, or since a member was disabled.
 * @returns the number of removed members, at most `limit`.
 * @throws AggregateError for members that could not be removed, after the others.
 */
export async function forgetMembers(
  database: Pick<Database, "query" | "transaction" | "notify">,
  { olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number },
): Promise<number> {
  const found = await database.query<{ id: string; accountId: string; keyId: string }>(
    ...findForgettable.bind({ olderThanMs, limit }),
  );
  const remove = ({ id, accountId, keyId }: (typeof found)[number]) =>
    database.transaction(async (sql) => {
      await lockSessions(sql, accountId);
      await lockAccount(sql, accountId);
      // It may have been accepted, enabled or sent again since it was found.
      const due = await sql.query(...checkForgettable.bind({ olderThanMs, id }));
      if (due.length === 0) return false;
      await endLineage(sql, { accountId, keyId });
      await deletePersonalData(sql, keyId);
      return true;
    });
  let removed = 0;
  const errors: unknown[] = [];
  for (const member of found) {
    const isRemoved = await remove(member).catch((error: unknown) => void errors.push(error));
    if (isRemoved !== true) continue;
    removed++;
    database.notify(rightsChannel, member.accountId);
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
  return removed;
}
