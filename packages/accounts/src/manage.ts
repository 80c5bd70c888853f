import type { Database, Sql } from "@atelier/database";
import type { KeyScope } from "@atelier/schemas";
import { callerOf, type Caller, type FoundCaller } from "./authenticate.ts";
import { readLineage, type Lineage, type LineageKey } from "./lineage.ts";
import { endedCredential, refusedKey, suspendedAccount } from "./refusals.ts";
import { assertScope, type ActingKey } from "./rights.ts";

/** A key that manages its account, in a transaction that holds the lock of the account. */
export interface Managing {
  readonly sql: Sql;
  readonly accountId: string;
  /** The key as it is now. */
  readonly actor: ActingKey & Caller;
  readonly lineage: Lineage;
  /** The key that is acted on, which may be revoked or expired; null without one in the account. */
  readonly target: LineageKey | null;
}

/** Channel of `NOTIFY` with the id of an account whose keys, members or sessions may have lost rights. */
export const rightsChannel = "rights_changed";

/**
 * Runs a change of keys, members, webhooks, sessions or settings with the rights that the caller has now: its
 * key may have been revoked, narrowed or rotated since the request began. Changes of one account follow
 * each other, so that no key is created by one that is being revoked.
 *
 * @param targetId the key that is acted on, if any.
 * @throws AppError `unauthorized`, `account_suspended` or `key_not_permitted`.
 */
export async function manage<Result>(
  database: Pick<Database, "transaction" | "notify">,
  caller: Caller,
  work: (managing: Managing) => Promise<Result>,
  targetId: string | null = null,
): Promise<Result> {
  const { accountId } = caller;
  const result = await database.transaction(async (sql) => {
    await lockSessions(sql, accountId);
    const now = await lockRights(sql, caller, "manage");
    const lineage = await readLineage(sql, accountId, targetId);
    const place = lineage.find(now.keyId);
    if (place === null) throw endedCredential();
    const { ancestors, owner } = place;
    const target = targetId === null ? null : lineage.find(targetId);
    return work({ sql, accountId, actor: { ...now, ancestors, owner }, lineage, target });
  });
  database.notify(rightsChannel, accountId);
  return result;
}

/**
 * Locks the account of a caller and checks that it still has a scope, with the rights that it has now:
 * until the end of the transaction, its key is not revoked or narrowed and its account not suspended.
 *
 * @throws AppError `unauthorized`, `account_suspended` or `key_not_permitted`.
 */
export async function lockRights(sql: Sql, caller: Caller, scope: KeyScope): Promise<Caller> {
  await lockAccount(sql, caller.accountId);
  const now = await readCaller(sql, caller);
  assertScope(now, scope);
  return now;
}

/** Locks the sessions of an account: changes of keys end sessions, which are locked before the account. */
export async function lockSessions(sql: Sql, accountId: string): Promise<void> {
  await sql.query("SELECT FROM studio_session WHERE account_id = $1 ORDER BY id FOR UPDATE", [
    accountId,
  ]);
}

/** Locks an account; see packages/database/lock-order.md for what must be locked before. */
export async function lockAccount(sql: Sql, accountId: string): Promise<void> {
  await sql.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
}

/**
 * Reads a caller again, by the secret or the session of its request.
 *
 * @throws AppError `unauthorized` or `account_suspended` when it has ended since the request began.
 */
async function readCaller(sql: Sql, { secretHashes, sessionId, keyId }: Caller): Promise<Caller> {
  const hashes = (secretHashes ?? []).map((_, index) => `$${index + 2}`);
  const [caller] = await sql.query<FoundCaller>(callerOf(hashes.join(", ") || "NULL", "$1::uuid"), [
    sessionId,
    ...(secretHashes ?? []),
  ]);
  if (caller === undefined || caller.keyId !== keyId) throw endedCredential();
  if (caller.refusal !== null) throw refusedKey(caller.refusal);
  if (caller.suspended) throw suspendedAccount();
  return { ...caller, secretHashes };
}
