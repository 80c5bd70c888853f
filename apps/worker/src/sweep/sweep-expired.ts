import type { Database } from "@atelier/database";
import {
  findImagesToRemove,
  listAccountRetentions,
  markExpiredImages,
  markExpiredOfAccount,
  markImagesRemoved,
} from "@atelier/generations/retention";
import { settleEach } from "@atelier/kit";
import type { SweepDependencies } from "./sweep-dependencies.ts";
import { emptySweep, type Swept } from "./swept.ts";

const batch = 200;

/** Longest deadline of a job that the API allows. */
export const longestJobMs = 86_400_000;

/**
 * Ends the retention of images: marks expired ones, so that they have no URLs and cannot be used as
 * references, and then deletes the files of all marked ones. The next sweep deletes the files of rows
 * that stay marked because the process died or a deletion failed. A step or an account that fails does not
 * stop the others.
 *
 * @param proceed called after each batch; false ends the sweep.
 * @throws AggregateError with the errors of the steps.
 */
export async function sweepExpired(
  retentionMs: number,
  { database, storage }: Pick<SweepDependencies, "database" | "storage">,
  proceed: () => Promise<boolean>,
): Promise<Swept> {
  let swept: Swept = emptySweep;
  await settleEach(
    [
      () => markAll(retentionMs, database, proceed),
      () => markByAccount(retentionMs, database, proceed),
      async () => void (swept = await removeMarked({ database, storage }, proceed)),
    ],
    (step) => step(),
  );
  return swept;
}

/** @returns false when the sweep was ended. */
async function markAll(
  retentionMs: number,
  database: Database,
  proceed: () => Promise<boolean>,
): Promise<boolean> {
  // Fewer than a batch may be marked although more have expired: others are locked now.
  while ((await markExpiredImages(database, { retentionMs, limit: batch })) > 0) {
    if (!(await proceed())) return false;
  }
  return true;
}

async function removeMarked(
  { database, storage }: Pick<SweepDependencies, "database" | "storage">,
  proceed: () => Promise<boolean>,
): Promise<Swept> {
  let removed = 0;
  const failed: Swept["failed"][number][] = [];
  let after = "";
  for (;;) {
    const page = await findImagesToRemove(database, { after, limit: batch });
    const failures = await storage.delete(page.map(({ storageKey }) => storageKey));
    failed.push(...failures);
    const failedKeys = new Set(failures.map(({ key }) => key));
    const deleted = page.filter(({ storageKey }) => !failedKeys.has(storageKey));
    await markImagesRemoved(database, deleted);
    removed += deleted.length;
    after = page.at(-1)?.storageKey ?? after;
    if (page.length < batch || !(await proceed())) return { removed, failed };
  }
}

/**
 * Marks expired images of accounts that keep them for less time than the operator allows. Reads only
 * generations that may still have images: accepted within the operator's retention, and the longest
 * deadline before it.
 *
 * @returns false when the sweep was ended.
 */
async function markByAccount(
  retentionMs: number,
  database: Database,
  proceed: () => Promise<boolean>,
): Promise<boolean> {
  let afterAccount: string | null = null;
  for (;;) {
    const accounts = await listAccountRetentions(database, { after: afterAccount, limit: batch });
    const isComplete = await settleEach(accounts, async (account) => {
      let after: string | null = null;
      do {
        const page = { after, oldestMs: retentionMs + longestJobMs, limit: batch };
        ({ next: after } = await markExpiredOfAccount(database, { ...account, ...page }));
        if (!(await proceed())) return false;
      } while (after !== null);
      return true;
    });
    if (!isComplete) return false;
    if (accounts.length < batch) return true;
    afterAccount = accounts.at(-1)?.accountId ?? null;
  }
}
