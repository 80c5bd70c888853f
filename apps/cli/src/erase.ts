import type { Environment } from "@atelier/configuration";
import { createDatabase, type Database } from "@atelier/database";
import {
  eraseAccount,
  isFullyErased,
  repeatErasures,
  type Erased,
  type RepeatedErasures,
} from "@atelier/generations/erase";
import type { Storage } from "@atelier/storage";
import type { Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { openRecords } from "./open-records.ts";
import { openStored } from "./open-stored.ts";
import type { Remark } from "./remark.ts";

/**
 * Erases an account. It can be run again after it was interrupted.
 *
 * @throws Error for an unknown account, one with unfinished jobs, or without a storage.
 */
export function erase(
  environment: Environment,
  accountId: string,
  remark: Remark,
): Promise<Answer> {
  return withStored(environment, async (database, storage) => {
    const result = await eraseAccount(database, storage, accountId, remark);
    if (result.kind === "unknown") throw new Error(`Account ${accountId} does not exist.`);
    if (result.kind === "refused") {
      throw new Error(
        `The account has ${result.unfinishedJobs} unfinished jobs. Suspend it, wait until they have ended, and run this again.`,
      );
    }
    return present(accountId, result.erased);
  });
}

/**
 * Erases accounts again whose erasures are recorded, and completes erasures that were interrupted.
 *
 * @param place another place with records; see `openRecords`. Null for the storage alone.
 * @throws Error without a storage.
 */
export function repeatAllErasures(
  environment: Environment,
  place: string | null,
  remark: Remark,
): Promise<Answer> {
  return withStored(environment, async (database, storage) => {
    await using records = place === null ? null : await openRecords(place);
    const repeated = await repeatErasures(
      database,
      storage,
      { elsewhere: records, hasWorkers: true },
      remark,
    );
    return {
      json: asJson(repeated),
      text: describeErasures(repeated),
      exitCode: exitCodeOfErasures(repeated),
    };
  });
}

export function asJson({ erased, unfinished }: RepeatedErasures) {
  return { erased_again: erased, not_erased: unfinished };
}

/** A failure while an account is not erased yet. */
export function exitCodeOfErasures({ unfinished }: RepeatedErasures): number {
  return unfinished.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** Says which accounts were erased again, and what to do about others. */
export function describeErasures({ erased, unfinished }: RepeatedErasures): string {
  const lines = [
    erased.length === 0
      ? "No account had to be erased again."
      : `Erased again: ${erased.join(", ")}.`,
  ];
  if (unfinished.length > 0) {
    lines.push(
      `Not erased yet: ${unfinished.join(", ")}. They are suspended, and have unfinished jobs or files in use. ` +
        "Run accounts repeat-erasures --yes again later.",
    );
  }
  return lines.join("\n");
}

/** Opens the storage first, so that nothing is begun which a storage that cannot be reached would interrupt. */
async function withStored(
  environment: Environment,
  work: (database: Database, storage: Storage) => Promise<Answer>,
): Promise<Answer> {
  const { databaseUrl, storageUrl } = await findConnection(environment);
  if (storageUrl === null) {
    throw new Error("STORAGE_URL is required to remove images. Set it to the value of the API.");
  }
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-erase",
  });
  try {
    const storage = await openStored(storageUrl);
    try {
      return await work(database, storage);
    } finally {
      await storage.close();
    }
  } finally {
    await database.close();
  }
}

function present(accountId: string, erased: Erased): Answer {
  const { jobs, files, imagesInUse, filesNotRemoved, keptInUse, archivePartsLeft } = erased;
  const { isArchiveBusy } = erased;
  const isDone = isFullyErased(erased);
  return {
    json: {
      account_id: accountId,
      jobs,
      files,
      images_in_use: imagesInUse,
      files_not_removed: filesNotRemoved,
      kept_in_use: keptInUse,
      archive_parts_left: archivePartsLeft,
      archive_busy: isArchiveBusy,
    },
    text: isDone
      ? `The account is erased: ${jobs} jobs and ${files} files. The ledger and the hashes of images are kept.`
      : `${imagesInUse} images are references of unfinished jobs, ${keptInUse} kept files are in use, ${archivePartsLeft} parts of the archive could not be changed, and ${filesNotRemoved} files could not be removed.${isArchiveBusy ? " Another process works on the archive." : ""} Run this again later.`,
    exitCode: isDone ? exitCodes.done : exitCodes.failed,
  };
}
