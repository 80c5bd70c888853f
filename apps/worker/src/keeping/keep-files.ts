import type { Database } from "@atelier/database";
import {
  findFilesToCopy,
  findKeptToRemove,
  forgetKept,
  giveUpLost,
  keepRequested,
  markCopied,
  type FileToCopy,
} from "@atelier/generations";
import type { Storage } from "@atelier/storage";
import type { Logger } from "@atelier/telemetry";

const batch = 50;

export interface KeepingDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly logger: Logger;
}

/**
 * Keeps what was requested: counts the images of completed jobs, copies the files that are to be kept, and
 * removes those that are not kept any more. Every step can be repeated, so that another worker continues
 * after a crash.
 *
 * @param options.quotaBytes the most that an account may keep.
 * @param proceed called after each batch; false ends the work.
 */
export async function keepFiles(
  { quotaBytes }: { readonly quotaBytes: number },
  dependencies: KeepingDependencies,
  proceed: () => Promise<boolean>,
): Promise<void> {
  const { database } = dependencies;
  while ((await keepRequested(database, { quotaBytes, limit: batch })) > 0) {
    if (!(await proceed())) return;
  }
  if (!(await copyFiles(dependencies, proceed))) return;
  await removeFiles(dependencies, proceed);
}

/** @returns false when the work was ended. */
async function copyFiles(
  { database, storage, logger }: KeepingDependencies,
  proceed: () => Promise<boolean>,
): Promise<boolean> {
  let after = "";
  for (;;) {
    const files = await findFilesToCopy(database, { after, limit: batch });
    const copied = await Promise.all(
      files.map(async (file) => ({
        ...file,
        isCopied: await storage.copy(file.sourceKey, file.storageKey),
      })),
    );
    const done = copied.filter(({ isCopied }) => isCopied);
    await markCopied(
      database,
      done.map(({ storageKey }) => storageKey),
    );
    const lost = copied.filter(({ isCopied }) => !isCopied);
    await refuseLost(lost, database, logger);
    after = files.at(-1)?.storageKey ?? after;
    if (files.length < batch) return true;
    if (!(await proceed())) return false;
  }
}

/** Gives up files that the storage does not have, although their rows say so. */
async function refuseLost(
  lost: readonly FileToCopy[],
  database: Database,
  logger: Logger,
): Promise<void> {
  for (const itemId of new Set(lost.map((file) => file.itemId))) {
    const files = lost.filter((file) => file.itemId === itemId);
    const keys = files.map(({ sourceKey }) => sourceKey);
    logger.error({ itemId, keys }, "files to keep are missing from the storage");
    await giveUpLost(database, {
      itemId,
      storageKeys: files.map(({ storageKey }) => storageKey),
    });
  }
}

async function removeFiles(
  { database, storage, logger }: KeepingDependencies,
  proceed: () => Promise<boolean>,
): Promise<void> {
  let after = "";
  for (;;) {
    const keys = await findKeptToRemove(database, { after, limit: batch });
    const failures = await storage.delete(keys);
    const failed = new Set(failures.map(({ key }) => key));
    if (failed.size > 0) {
      logger.error({ count: failed.size, examples: failures.slice(0, 5) }, "kept files remain");
    }
    await forgetKept(
      database,
      keys.filter((key) => !failed.has(key)),
    );
    after = keys.at(-1) ?? after;
    if (keys.length < batch || !(await proceed())) return;
  }
}
