import type { Database } from "@atelier/database";
import {
  findFilesToCopy,
  findKeptToRemove,
  forgetKept,
  giveUpLost,
  keepRequested,
  markCopied,
  type FileToCopy,
} from "@atelier/generations/library";
import { settleEach } from "@atelier/kit";
import type { Storage } from "@atelier/storage";
import type { Logger } from "@atelier/telemetry";
import { createFileBackOff, type FileBackOff } from "./file-back-off.ts";

const batch = 50;

export interface KeepingDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly logger: Logger;
}

/**
 * Keeps what was requested: counts the images of completed jobs, copies the files that are to be kept, and
 * removes those that are not kept any more. Every step can be repeated, so that another worker continues
 * after a crash. A file that fails is tried again later; it stops neither others nor the other steps.
 *
 * @param options.quotaBytes the most that an account may keep.
 * @param options.backOff when files that failed before are tried again. Default: at once.
 * @param proceed called after each batch; false ends the work.
 * @throws AggregateError with the errors of the steps.
 */
export async function keepFiles(
  {
    quotaBytes,
    backOff = createFileBackOff(),
  }: { readonly quotaBytes: number; readonly backOff?: FileBackOff },
  dependencies: KeepingDependencies,
  proceed: () => Promise<boolean>,
): Promise<void> {
  await settleEach(
    [
      () => keepAllRequested(quotaBytes, dependencies, proceed),
      () => copyFiles(backOff, dependencies, proceed),
      () => removeFiles(backOff, dependencies, proceed),
    ],
    (step) => step(),
  );
}

/** @returns false when the work was ended. */
async function keepAllRequested(
  quotaBytes: number,
  { database, logger }: KeepingDependencies,
  proceed: () => Promise<boolean>,
): Promise<boolean> {
  const onError = (error: unknown, itemId: string) =>
    logger.error({ err: error, itemId }, "an item could not be kept, will retry");
  let after: string | null = null;
  do {
    const page = { quotaBytes, after, limit: batch, onError };
    ({ next: after } = await keepRequested(database, page));
    if (after !== null && !(await proceed())) return false;
  } while (after !== null);
  return true;
}

/** @returns false when the work was ended. */
async function copyFiles(
  backOff: FileBackOff,
  { database, storage, logger }: KeepingDependencies,
  proceed: () => Promise<boolean>,
): Promise<boolean> {
  let after = "";
  for (;;) {
    const files = await findFilesToCopy(database, { after, limit: batch });
    if (files.length === 0) return true;
    const due = files.filter(({ storageKey }) => backOff.isDue(storageKey));
    const tried = await Promise.all(due.map((file) => copyFile(file, storage)));
    const ended = (outcome: CopyOutcome) => tried.filter((file) => file.outcome === outcome);
    for (const { storageKey, outcome } of tried) {
      if (outcome === "failed") backOff.failed(storageKey);
      else backOff.succeeded(storageKey);
    }
    await markCopied(
      database,
      ended("copied").map(({ storageKey }) => storageKey),
    );
    await refuseLost(ended("lost"), database, logger);
    const [failure, ...others] = ended("failed");
    if (failure !== undefined) {
      const { error, sourceKey } = failure;
      logger.error(
        { err: error, sourceKey, count: 1 + others.length },
        "files could not be copied, will retry",
      );
      // The storage fails, rather than some of its files: the others wait until the next turn.
      if (tried.length === 1 + others.length) return true;
    }
    after = files.at(-1)?.storageKey ?? after;
    if (files.length < batch) return true;
    if (!(await proceed())) return false;
  }
}

type CopyOutcome = "copied" | "lost" | "failed";

/** Copies a file; `lost` is one that the storage does not have. */
async function copyFile(
  file: FileToCopy,
  storage: Pick<Storage, "copy">,
): Promise<FileToCopy & { readonly outcome: CopyOutcome; readonly error?: unknown }> {
  try {
    const isCopied = await storage.copy(file.sourceKey, file.storageKey);
    return { ...file, outcome: isCopied ? "copied" : "lost" };
  } catch (error) {
    return { ...file, outcome: "failed", error };
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
    }).catch((error: unknown) => logger.warn({ err: error, itemId }, "will be given up later"));
  }
}

async function removeFiles(
  backOff: FileBackOff,
  { database, storage, logger }: KeepingDependencies,
  proceed: () => Promise<boolean>,
): Promise<void> {
  let after = "";
  for (;;) {
    const found = await findKeptToRemove(database, { after, limit: batch });
    if (found.length === 0) return;
    const keys = found.filter((key) => backOff.isDue(key));
    const failures = await storage.delete(keys);
    const failed = new Set(failures.map(({ key }) => key));
    if (failed.size > 0) {
      logger.error({ count: failed.size, examples: failures.slice(0, 5) }, "kept files remain");
    }
    for (const key of failed) backOff.failed(key);
    const removed = keys.filter((key) => !failed.has(key));
    for (const key of removed) backOff.succeeded(key);
    await forgetKept(database, removed);
    after = found.at(-1) ?? after;
    if (found.length < batch || !(await proceed())) return;
  }
}
