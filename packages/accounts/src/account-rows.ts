import { newId, statement, type Sql } from "@atelier/database";
import { pepperId } from "@atelier/kit";
import type { KeyMode, Strictness } from "@atelier/schemas";
import type { AccountInfo } from "./accounts.ts";
import { hashKey, makeKey } from "./key-format.ts";

/** All accounts, oldest first. In SQL, because loading Prisma takes longer than the command that lists them. */
export function listAccounts(sql: Sql): Promise<AccountInfo[]> {
  return sql.query<AccountInfo>(
    `SELECT id, name, strictness, retention_hours AS "retentionHours", low_balance_micro_eur AS "lowBalanceMicroEur",
            language, keep_starred AS "keepStarred", makers_read_all AS "makersReadAll", balance_micro_eur AS "balanceMicroEur", held_micro_eur AS "heldMicroEur",
            unfinished_jobs AS "unfinishedJobs", suspended_at AS "suspendedAt", erased_at AS "erasedAt",
            created_at AS "createdAt"
       FROM account ORDER BY id`,
  );
}

/** An account to create in a transaction. */
interface NewAccount {
  /** Chosen before, so that a repeated transaction recognises its own account. */
  readonly id: string;
  readonly name: string;
  readonly strictness: Strictness | null;
  /** The operator's own id, which one account has; null for none. */
  readonly externalId: string | null;
}

/**
 * Creates an account without credit, unless its id or its external id exists.
 *
 * @returns the account with one of them, which has another id if its external id existed before.
 */
export async function insertAccount(
  sql: Sql,
  account: NewAccount,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const inserted = await sql.query(...insertRow.bind({ ...account }));
  if (inserted.length > 0) return { id: account.id, isNew: true };
  const [existing] = await sql.query<{ id: string }>(
    "SELECT id FROM account WHERE id = $1 OR external_id = $2 FOR NO KEY UPDATE",
    [account.id, account.externalId],
  );
  if (existing === undefined) throw new Error("the account was inserted or exists");
  return { id: existing.id, isNew: false };
}

const insertRow = statement(
  ["id", "name", "strictness", "externalId"],
  `INSERT INTO account (id, name, strictness, external_id)
   VALUES (:id, :name, coalesce(:strictness::strictness, 'normal'), :externalId)
   ON CONFLICT DO NOTHING RETURNING id`,
);

/** A key whose secret is known, before it is stored. */
export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly mode: KeyMode;
  readonly key: string;
}

/** Makes a key, which is valid once it is inserted. */
export function prepareKey(name: string, mode: KeyMode): NewKey {
  return { id: newId(), name, mode, key: makeKey(mode) };
}

/** Stores a key of the operator with all scopes and no limits, in a transaction. */
export async function insertKey(
  sql: Sql,
  accountId: string,
  { id, name, mode, key }: NewKey,
  pepper: string,
): Promise<void> {
  await sql.query(
    ...insertKeyRow.bind({
      id,
      accountId,
      mode,
      name,
      hash: hashKey(key, pepper),
      pepperId: pepperId(pepper),
      lastFour: key.slice(-4),
    }),
  );
}

const insertKeyRow = statement(
  ["id", "accountId", "mode", "name", "hash", "pepperId", "lastFour"],
  `INSERT INTO api_key (id, account_id, mode, name, hash, pepper_id, last_four)
   VALUES (:id, :accountId, :mode::key_mode, :name, :hash, :pepperId, :lastFour)`,
);

/**
 * Revokes the unused keys of a name that the operator made, in a transaction that holds the lock of the account.
 *
 * @returns null if a valid key of the name was used, and then revokes none; otherwise the number of revoked keys.
 */
export async function revokeUnused(
  sql: Sql,
  accountId: string,
  name: string,
): Promise<number | null> {
  const keys = await sql.query<{ id: string; isUsed: boolean }>(
    `SELECT id, last_used_at IS NOT NULL AS "isUsed" FROM api_key
      WHERE account_id = $1 AND name = $2 AND parent_id IS NULL AND revoked_at IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    [accountId, name],
  );
  if (keys.some(({ isUsed }) => isUsed)) return null;
  await sql.query("UPDATE api_key SET revoked_at = now() WHERE id = ANY ($1)", [
    keys.map(({ id }) => id),
  ]);
  return keys.length;
}
