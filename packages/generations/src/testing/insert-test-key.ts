import type { Sql } from "@atelier/database";
import type { KeyMode } from "@atelier/schemas";

/** Inserts a key for an account, with the account's id if it has no other. */
export async function insertTestKey(
  sql: Sql,
  accountId: string,
  keyId = accountId,
  mode: KeyMode = "live",
): Promise<void> {
  await sql.query(
    `INSERT INTO api_key (id, account_id, mode, name, hash, last_four)
     VALUES ($1, $2, $3::key_mode, 'test', uuid_send($1), 'test')`,
    [keyId, accountId, mode],
  );
}
