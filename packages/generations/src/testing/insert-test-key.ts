import type { Sql } from "@atelier/database";

/** Inserts a key with the account's id for an account. */
export async function insertTestKey(sql: Sql, accountId: string): Promise<void> {
  await sql.query(
    `INSERT INTO api_key (id, account_id, name, hash, last_four)
     VALUES ($1::uuid, $1::uuid, 'test', decode(replace($1::uuid::text, '-', ''), 'hex'), 'test')`,
    [accountId],
  );
}
