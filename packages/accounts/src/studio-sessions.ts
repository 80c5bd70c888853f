import { newId, statement, type Sql } from "@atelier/database";
import type { Caller } from "./authenticate.ts";
import { isValidKey } from "./key-conditions.ts";
import { readLineage } from "./lineage.ts";
import { mayEnd } from "./rights.ts";

/** A browser that is signed in to Studio. */
export interface StudioSession {
  readonly id: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  /** Exact to a minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** Sessions of an account at the same time; a new one replaces the one used least recently. */
const maxSessions = 100;

/**
 * Opens a session with the key of a caller. One that is opened with a rotated secret in its grace
 * period ends with that period. One without a secret is of a member who signed in through the identity provider.
 *
 * @param options.forMs how long it lasts, in milliseconds.
 * @returns the id of the session; null when the key has ended.
 */
export async function openStudioSession(
  sql: Sql,
  caller: Pick<Caller, "accountId" | "keyId" | "secretHashes">,
  options: { readonly userAgent: string | null; readonly forMs: number },
): Promise<string | null> {
  const id = newId();
  const { accountId, keyId, secretHashes } = caller;
  const opened = await sql.query(
    ...open.bind({ id, accountId, keyId, secretHashes, ...options, kept: maxSessions - 1 }),
  );
  return opened.length > 0 ? id : null;
}

const open = statement(
  ["id", "accountId", "keyId", "secretHashes", "userAgent", "forMs", "kept"],
  `WITH forgotten AS (
     DELETE FROM studio_session WHERE id IN (
       SELECT id FROM studio_session WHERE account_id = :accountId
        ORDER BY last_used_at DESC, id DESC OFFSET :kept)
     RETURNING id
   )
   INSERT INTO studio_session (id, account_id, key_id, is_superseded, user_agent, expires_at)
   SELECT :id::uuid, account_id, id, coalesce(hash <> ALL (:secretHashes::bytea[]), false), :userAgent,
          least(now() + :forMs * interval '1 ms',
                CASE WHEN hash <> ALL (:secretHashes) THEN previous_expires_at END)
     FROM api_key
    WHERE (SELECT count(*) FROM forgotten) >= 0 -- Sessions are locked before the key.
      AND id = :keyId AND account_id = :accountId AND ${isValidKey("api_key")}
      AND (:secretHashes IS NULL OR hash = ANY (:secretHashes) OR previous_hash = ANY (:secretHashes) AND previous_expires_at > now())
      FOR SHARE
   RETURNING id`,
);

/**
 * Lists the sessions that a caller may end, newest first: its own, those of its key, and with the scope
 * `manage` those of keys that it may revoke.
 */
export async function listStudioSessions(sql: Sql, caller: Caller): Promise<StudioSession[]> {
  return sql.query(
    `SELECT session.id, key_id AS "keyId", api_key.name AS "keyName", user_agent AS "userAgent",
            session.created_at AS "createdAt", session.last_used_at AS "lastUsedAt",
            session.expires_at AS "expiresAt"
       FROM studio_session AS session JOIN api_key ON api_key.id = key_id
      WHERE session.account_id = $1 AND session.expires_at > now()
        AND (session.id = $2::uuid OR key_id = ANY ($3::uuid[]))
      ORDER BY session.id DESC`,
    [caller.accountId, caller.sessionId, await findKeysToEnd(sql, caller)],
  );
}

/**
 * Ends one session that a caller may end.
 *
 * @returns whether it existed and was ended.
 */
export async function endStudioSession(
  sql: Sql,
  caller: Caller,
  sessionId: string,
): Promise<boolean> {
  const ended = await sql.query(
    `DELETE FROM studio_session
      WHERE account_id = $1 AND id = $4 AND (id = $2::uuid OR key_id = ANY ($3::uuid[]))
     RETURNING id`,
    [caller.accountId, caller.sessionId, await findKeysToEnd(sql, caller), sessionId],
  );
  return ended.length > 0;
}

/**
 * Ends the sessions of a caller's own key, also its own session. Those of other keys belong to other people or
 * programs, and end one by one. A superseded secret ends only its own session.
 *
 * @returns the number of sessions that were ended.
 */
export async function endOwnStudioSessions(sql: Sql, caller: Caller): Promise<number> {
  const ended = await sql.query(
    `DELETE FROM studio_session
      WHERE account_id = $1 AND (id = $2::uuid OR key_id = $3::uuid)
     RETURNING id`,
    [caller.accountId, caller.sessionId, caller.isSuperseded ? null : caller.keyId],
  );
  return ended.length;
}

/** Keys whose sessions a caller may end. */
async function findKeysToEnd(sql: Sql, caller: Caller): Promise<string[]> {
  // A superseded secret ends only itself.
  if (caller.isSuperseded) return [];
  if (!caller.scopes.includes("manage")) return [caller.keyId];
  const lineage = await readLineage(sql, caller.accountId, null);
  const place = lineage.find(caller.keyId);
  if (place === null) return [];
  const { ancestors, owner } = place;
  const actor = { ...caller, ancestors, owner };
  return lineage.all.filter((key) => mayEnd(actor, key)).map(({ id }) => id);
}

/** Ends a session by its id, on behalf of the browser that has its cookie. */
export async function closeStudioSession(sql: Sql, sessionId: string): Promise<void> {
  await sql.query("DELETE FROM studio_session WHERE id = $1", [sessionId]);
}
