import { newId, type Database } from "@atelier/database";
import type { Strictness } from "@atelier/schemas";

export interface AccountInfo {
  readonly id: string;
  readonly name: string;
  readonly strictness: Strictness;
  readonly balanceMicroEur: bigint;
  readonly heldMicroEur: bigint;
  readonly unfinishedJobs: number;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
}

/** Makes an account without credit. */
export async function createAccount(
  database: Database,
  accountOf: { readonly name: string; readonly strictness?: Strictness },
): Promise<string> {
  const id = newId();
  const prisma = await database.prisma();
  await prisma.account.create({ data: { id, ...accountOf } });
  return id;
}

/** All accounts, oldest first. */
export async function listAccounts(database: Database): Promise<AccountInfo[]> {
  const prisma = await database.prisma();
  return prisma.account.findMany({ orderBy: { id: "asc" } });
}

/** An account, or null. */
export async function findAccount(
  database: Database,
  accountId: string,
): Promise<AccountInfo | null> {
  const prisma = await database.prisma();
  return prisma.account.findUnique({ where: { id: accountId } });
}

/**
 * Suspends an account (its keys then get 403 `account_suspended`) or lets it work again.
 * What it has running is finished either way.
 *
 * @returns whether there is such an account.
 */
export async function setSuspended(
  database: Database,
  accountId: string,
  suspended: boolean,
): Promise<boolean> {
  const changed = await database.query(
    `UPDATE account SET suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, now()) END
      WHERE id = $1 RETURNING id`,
    [accountId, suspended],
  );
  return changed.length > 0;
}

/**
 * Changes how the account's requests are moderated unless they say otherwise. Jobs that were accepted
 * before keep what they had.
 *
 * @returns whether there is such an account.
 */
export async function setStrictness(
  database: Database,
  accountId: string,
  strictness: Strictness,
): Promise<boolean> {
  const changed = await database.query(
    "UPDATE account SET strictness = $2::strictness WHERE id = $1 RETURNING id",
    [accountId, strictness],
  );
  return changed.length > 0;
}
