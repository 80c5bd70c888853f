import type { Sql } from "@atelier/database";
import { erasureKey, erasurePrefix, readErasureKey } from "@atelier/schemas";
import type { ArchiveStorage } from "../archive/archive-file.ts";

/** The operations of a storage that erasures need. */
export interface ErasureStorage extends ArchiveStorage {
  list(prefix: string): AsyncIterable<{ readonly key: string }>;
}

/** A place with records of erasures. */
export type ErasureRecords = Pick<ErasureStorage, "get" | "list">;

interface ErasedAccount {
  readonly accountId: string;
  readonly erasedAt: Date;
}

/**
 * Records outside of the database that an account was erased, so that a restored database learns it: the id and the
 * time, which are no personal data. A record is never replaced: it has the time of the first erasure.
 */
export async function recordErasure(
  storage: Pick<ErasureStorage, "get" | "put">,
  { accountId, erasedAt }: ErasedAccount,
): Promise<void> {
  const key = erasureKey(accountId);
  if ((await storage.get(key)) !== null) return;
  const record = { account_id: accountId, erased_at: erasedAt.toISOString() };
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
  await storage.put(key, bytes, { contentType: "application/json" });
}

/** Copies the records of another place that a storage does not have. */
export async function copyErasures(from: ErasureRecords, storage: ErasureStorage): Promise<void> {
  const known = new Set(await listErasures(storage));
  for (const accountId of await listErasures(from)) {
    const key = erasureKey(accountId);
    const record = known.has(accountId) ? null : await from.get(key);
    if (record !== null) await storage.put(key, record.bytes, { contentType: "application/json" });
  }
}

/** Lists the ids of the accounts whose erasure a storage records. */
export async function listErasures(storage: Pick<ErasureStorage, "list">): Promise<string[]> {
  const accountIds: string[] = [];
  for await (const { key } of storage.list(erasurePrefix)) {
    accountIds.push(...[readErasureKey(key)].filter((id) => id !== null));
  }
  return accountIds;
}

/** Lists the accounts that a database has as erased. */
export function listErased(sql: Sql): Promise<ErasedAccount[]> {
  return sql.query<ErasedAccount>(
    `SELECT id AS "accountId", erased_at AS "erasedAt" FROM account
      WHERE erased_at IS NOT NULL ORDER BY id`,
  );
}

/**
 * Finds the accounts to erase: those of the records that are not erased, and those whose erasure was interrupted.
 *
 * @param recorded ids of accounts, also of accounts that this database does not know.
 */
export async function findAccountsToErase(
  sql: Sql,
  recorded: readonly string[],
): Promise<string[]> {
  const found = await sql.query<{ id: string }>(
    `SELECT id FROM account
      WHERE erased_at IS NULL AND id = ANY ($1)
         OR erased_at IS NOT NULL
            AND (EXISTS (SELECT FROM generation WHERE account_id = account.id AND redacted_at IS NULL)
                 OR EXISTS (SELECT FROM generation JOIN render ON generation_id = generation.id
                              JOIN mark ON render_id = render.id
                             WHERE account_id = account.id AND dossier_attempt IS NOT NULL)
                 OR EXISTS (SELECT FROM upload WHERE account_id = account.id)
                 OR EXISTS (SELECT FROM kept_file WHERE account_id = account.id)
                 OR EXISTS (SELECT FROM archive_part WHERE account.id = ANY (account_ids)
                               AND created_at < erased_at + interval '1 day'))
      ORDER BY id`,
    [recorded],
  );
  return found.map(({ id }) => id);
}
