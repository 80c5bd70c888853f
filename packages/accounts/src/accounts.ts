import { newId, type Database } from "@atelier/database";
import type { Strictness } from "@atelier/schemas";

export interface AccountInfo {
  readonly id: string;
  readonly name: string;
  readonly strictness: Strictness;
  /** Retention of images in hours; null for the operator's retention. */
  readonly retentionHours: number | null;
  /** Balance below which an event is written; null writes no events. */
  readonly lowBalanceMicroEur: bigint | null;
  /** Language of Studio, such as "de"; null for that of the browser. */
  readonly language: string | null;
  /** Whether a job is kept when it is starred. */
  readonly keepStarred: boolean;
  /** Whether members with the role maker read all jobs. */
  readonly makersReadAll: boolean;
  readonly balanceMicroEur: bigint;
  readonly heldMicroEur: bigint;
  readonly unfinishedJobs: number;
  readonly suspendedAt: Date | null;
  /** Time of the erasure: the account accepts no jobs, and its personal data is removed. */
  readonly erasedAt: Date | null;
  readonly createdAt: Date;
}

/** Creates an account without credit. */
export async function createAccount(
  database: Database,
  accountOf: { readonly name: string; readonly strictness?: Strictness },
): Promise<string> {
  const id = newId();
  const prisma = await database.prisma();
  await prisma.account.create({ data: { id, ...accountOf } });
  return id;
}

/** An account, or null. */
export async function findAccount(
  database: Database,
  accountId: string,
): Promise<AccountInfo | null> {
  const prisma = await database.prisma();
  return prisma.account.findUnique({ where: { id: accountId } });
}
