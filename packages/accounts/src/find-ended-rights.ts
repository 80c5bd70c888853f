import type { Sql } from "@atelier/database";
import type { Caller } from "./authenticate.ts";
import { isValidKey } from "./key-conditions.ts";

/** The rights that keep a stream open. */
export interface StreamRight extends Pick<Caller, "keyId" | "secretHashes" | "sessionId"> {
  /** It contains events of jobs that other keys requested. */
  readonly needsRead: boolean;
}

/**
 * Returns those of the rights that have ended: the key was revoked, expired or lost the scope, its
 * secret was replaced, its session was ended, or its account was suspended.
 */
export async function findEndedRights<Right extends StreamRight>(
  sql: Sql,
  rights: readonly Right[],
): Promise<Right[]> {
  const valid = await sql.query<{ position: number }>(
    `SELECT position::int FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::boolean[])
            WITH ORDINALITY AS wanted (key_id, secret_hashes, session_id, needs_read, position)
       JOIN api_key AS key ON key.id = wanted.key_id JOIN account ON account.id = key.account_id
      WHERE ${isValidKey("key")} AND suspended_at IS NULL
        AND (NOT needs_read OR 'read' = ANY (scopes))
        AND (secret_hashes IS NULL
             OR encode(hash, 'hex') = ANY (string_to_array(secret_hashes, ','))
             OR encode(previous_hash, 'hex') = ANY (string_to_array(secret_hashes, ','))
                AND previous_expires_at > now())
        AND (session_id IS NULL OR EXISTS (
               SELECT FROM studio_session AS session
                WHERE session.id = session_id AND session.expires_at > now()))`,
    [
      rights.map(({ keyId }) => keyId),
      rights.map(
        ({ secretHashes }) =>
          secretHashes?.map((hash) => Buffer.from(hash).toString("hex")).join(",") ?? null,
      ),
      rights.map(({ sessionId }) => sessionId),
      rights.map(({ needsRead }) => needsRead),
    ],
  );
  const positions = new Set(valid.map(({ position }) => position));
  return rights.filter((_, index) => !positions.has(index + 1));
}
