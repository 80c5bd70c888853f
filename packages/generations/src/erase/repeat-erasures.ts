import { setSuspended } from "@atelier/accounts";
import type { Database } from "@atelier/database";
import { AppError } from "@atelier/schemas";
import { cancelGeneration } from "../endings/cancel.ts";
import { eraseAccount, isFullyErased, type ReportErasure } from "./erase-account.ts";
import {
  copyErasures,
  findAccountsToErase,
  listErased,
  listErasures,
  recordErasure,
  type ErasureRecords,
  type ErasureStorage,
} from "./erasure-records.ts";

/** Accounts of `repeatErasures`, by their ids. */
export interface RepeatedErasures {
  readonly erased: readonly string[];
  /** They are suspended. Some of their jobs have not ended, or files could not be removed yet. */
  readonly unfinished: readonly string[];
}

interface RepeatOptions {
  /** Another place with records, which are copied to the storage; null for none. */
  readonly elsewhere: ErasureRecords | null;
  /**
   * False while none uses the database, such as after a restore. Then jobs whose images the database has as being
   * made are cancelled too: recovery would make, charge and announce them.
   */
  readonly hasWorkers: boolean;
}

/**
 * Repeats the erasures that a restored database does not have, and completes those that were interrupted. First all
 * of the accounts are suspended, so that keys that were restored with them do not work. Their unfinished jobs are
 * cancelled. An account that cannot be erased does not keep the others from it. Can be repeated.
 */
export async function repeatErasures(
  database: Database,
  storage: ErasureStorage,
  { elsewhere, hasWorkers }: RepeatOptions,
  onProgress: ReportErasure,
): Promise<RepeatedErasures> {
  if (elsewhere !== null) await copyErasures(elsewhere, storage);
  const recorded = await listErasures(storage);
  const due = await findAccountsToErase(database, recorded);
  for (const accountId of due) await setSuspended(database, accountId, true);
  const known = new Set(recorded);
  // Versions up to 0.3 did not record them, and an erasure may have died before it did.
  for (const account of await listErased(database)) {
    if (!known.has(account.accountId)) await recordErasure(storage, account);
  }
  const erased: string[] = [];
  const unfinished: string[] = [];
  for (const accountId of due) {
    onProgress(`Erasing account ${accountId} again`);
    const isErased = await repeatErasure(
      database,
      storage,
      { accountId, hasWorkers },
      onProgress,
    ).catch((error: unknown) => {
      onProgress(String(error), true);
      return false;
    });
    (isErased ? erased : unfinished).push(accountId);
  }
  return { erased, unfinished };
}

interface DueAccount extends Pick<RepeatOptions, "hasWorkers"> {
  readonly accountId: string;
}

/** @returns whether everything is removed. */
async function repeatErasure(
  database: Database,
  storage: ErasureStorage,
  { accountId, hasWorkers }: DueAccount,
  onProgress: ReportErasure,
): Promise<boolean> {
  await cancelJobs(database, { accountId, hasWorkers });
  const result = await eraseAccount(database, storage, accountId, onProgress);
  if (result.kind === "refused") onProgress(`${result.unfinishedJobs} jobs have not ended`, true);
  return result.kind === "erased" && isFullyErased(result.erased);
}

/** Cancels the jobs of an account, except those whose images are being made. */
async function cancelJobs(
  database: Database,
  { accountId, hasWorkers }: DueAccount,
): Promise<void> {
  const jobs = await database.query<{ id: string }>(
    "SELECT id FROM generation WHERE account_id = $1 AND completed_at IS NULL ORDER BY id",
    [accountId],
  );
  for (const { id: generationId } of jobs) {
    await cancelGeneration(database, { accountId, generationId, hasWorkers }).catch(
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      },
    );
  }
}
