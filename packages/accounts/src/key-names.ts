import type { Sql } from "@atelier/database";

/** The names of keys of an account by their ids, revoked ones included. */
export async function readKeyNames(
  sql: Sql,
  accountId: string,
  keyIds: readonly string[],
): Promise<Map<string, string>> {
  const keys = await sql.query<{ id: string; name: string }>(
    "SELECT id, name FROM api_key WHERE account_id = $1 AND id = ANY ($2::uuid[])",
    [accountId, keyIds],
  );
  return new Map(keys.map(({ id, name }) => [id, name]));
}
