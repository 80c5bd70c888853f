import type { Sql } from "@atelier/database";

/** Returns those of the keys that are refused by now: revoked, expired, or of a suspended account. */
export async function findRefusedKeys(sql: Sql, keyIds: readonly string[]): Promise<string[]> {
  const refused = await sql.query<{ id: string }>(
    `SELECT api_key.id FROM api_key JOIN account ON account.id = account_id
      WHERE api_key.id = ANY ($1)
        AND (revoked_at IS NOT NULL OR expires_at <= now() OR suspended_at IS NOT NULL)`,
    [keyIds],
  );
  return refused.map(({ id }) => id);
}
