import { beginErasure } from "@atelier/accounts";
import type { Environment } from "@atelier/configuration";
import { createDatabase, type Database } from "@atelier/database";
import {
  countKeptFiles,
  deleteUploads,
  eraseArchived,
  expireImages,
  findKeptToRemove,
  forgetDossiers,
  forgetKept,
  forgetUploads,
  listAttempts,
  markImagesRemoved,
  redactAccountPage,
  rememberUndeleted,
  takeUploadsToRemove,
  type UploadCursor,
} from "@atelier/generations";
import { dossierKeys, stagedPrefix } from "@atelier/schemas";
import type { Storage } from "@atelier/storage";
import type { Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { openStored } from "./open-stored.ts";

const pageSize = 200;

/** The result of an erasure. */
interface Erased {
  readonly jobs: number;
  readonly files: number;
  /** Images that unfinished jobs of other accounts use as references. */
  readonly imagesInUse: number;
  readonly filesNotRemoved: number;
  /** Kept files that unfinished jobs use, that a worker may be copying, or that could not be removed. */
  readonly keptInUse: number;
  /** Parts of the archive that still have the account. */
  readonly archivePartsLeft: number;
  /** Whether another process works on the archive. */
  readonly isArchiveBusy: boolean;
}

/**
 * Erases an account (GDPR, Art. 17): prompts, requests, files and the dossiers of its images, in the archive too.
 * Transfers, hashes of images and the registry of marks stay, without names. Each page is committed on its own,
 * so that the command can be run again after it was interrupted.
 *
 * @throws Error for an unknown account, one with unfinished jobs, or without a storage.
 */
export async function erase(
  environment: Environment,
  accountId: string,
  remark: (line: string) => void,
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
    // First, so that nothing is begun which a storage that cannot be reached would interrupt.
    const storage = await openStored(storageUrl);
    try {
      await begin(database, accountId);
      return present(accountId, await removeContent(database, storage, accountId, remark));
    } finally {
      await storage.close();
    }
  } finally {
    await database.close();
  }
}

async function begin(database: Database, accountId: string): Promise<void> {
  const erasure = await beginErasure(database, accountId);
  if (erasure.kind === "unknown") {
    throw new Error(`Account ${accountId} does not exist.`);
  }
  if (erasure.kind === "refused") {
    throw new Error(
      `The account has ${erasure.unfinishedJobs} unfinished jobs. Suspend it, wait until they have ended, and run this again.`,
    );
  }
}

async function removeContent(
  database: Database,
  storage: Storage,
  accountId: string,
  remark: (line: string) => void,
): Promise<Erased> {
  let erased = await removeUploads(database, storage, accountId);
  const kept = await removeKept(database, storage, accountId);
  erased = { ...erased, ...kept, files: erased.files + kept.files };
  let after: string | null = null;
  do {
    const page = await redactAccountPage(database, { accountId, after, limit: pageSize });
    const { toRemove, inUse } = await expireImages(database, page.renderIds);
    const staged = await listStaged(storage, page.recentRenderIds, remark);
    await forgetDossiers(database, page.renderIds);
    const dossiers = (await listAttempts(database, page.renderIds)).flatMap(dossierKeys);
    const keys = [...toRemove.map(({ storageKey }) => storageKey), ...staged.keys, ...dossiers];
    const failed = new Set((await storage.delete(keys)).map(({ key }) => key));
    await rememberUndeleted(database, failed);
    await markImagesRemoved(
      database,
      toRemove.filter(({ storageKey }) => !failed.has(storageKey)),
    );
    erased = {
      ...erased,
      jobs: erased.jobs + page.jobs,
      files: erased.files + keys.length - failed.size,
      imagesInUse: erased.imagesInUse + inUse,
      filesNotRemoved: erased.filesNotRemoved + failed.size + staged.unread,
    };
    remark(`${erased.jobs} jobs, ${erased.files} files`);
    after = page.next;
  } while (after !== null);
  const archived = await eraseArchived(database, storage, accountId);
  for (const problem of archived.problems) remark(problem);
  remark(`${archived.jobs} archived jobs`);
  return {
    ...erased,
    jobs: erased.jobs + archived.jobs,
    files: erased.files + archived.files,
    filesNotRemoved: erased.filesNotRemoved + archived.filesNotRemoved,
    archivePartsLeft: archived.partsLeft,
    isArchiveBusy: archived.isBusy,
  };
}

async function removeUploads(
  database: Database,
  storage: Storage,
  accountId: string,
): Promise<Erased> {
  await deleteUploads(database, { accountId, id: null });
  const erased = {
    jobs: 0,
    files: 0,
    imagesInUse: 0,
    filesNotRemoved: 0,
    keptInUse: 0,
    archivePartsLeft: 0,
    isArchiveBusy: false,
  };
  let after: UploadCursor | null = null;
  do {
    const page = await takeUploadsToRemove(database, { accountId, after, limit: pageSize });
    const { uploads } = page;
    const failures = await storage.delete(uploads.flatMap(({ keys }) => keys));
    const kept = new Set(failures.map(({ key }) => key));
    const removed = uploads.filter(({ keys }) => !keys.some((key) => kept.has(key)));
    await forgetUploads(
      database,
      removed.map(({ id }) => id),
    );
    erased.files += removed.length;
    erased.filesNotRemoved += failures.length;
    after = page.next;
  } while (after !== null);
  return erased;
}

/** Removes the files that the account kept. Others are references of unfinished jobs, or being copied. */
async function removeKept(
  database: Database,
  storage: Storage,
  accountId: string,
): Promise<Pick<Erased, "files" | "keptInUse">> {
  let files = 0;
  let after = "";
  for (;;) {
    const keys = await findKeptToRemove(database, { accountId, after, limit: pageSize });
    const failed = new Set((await storage.delete(keys)).map(({ key }) => key));
    const removed = keys.filter((key) => !failed.has(key));
    await forgetKept(database, removed);
    files += removed.length;
    after = keys.at(-1) ?? after;
    if (keys.length < pageSize) break;
  }
  return { files, keptInUse: await countKeptFiles(database, accountId) };
}

/** Lists the staged files of renders. A folder that cannot be read is counted, and the others are listed. */
async function listStaged(
  storage: Storage,
  renderIds: readonly string[],
  remark: (line: string) => void,
): Promise<{ readonly keys: readonly string[]; readonly unread: number }> {
  const keys: string[] = [];
  let unread = 0;
  for (const renderId of renderIds) {
    try {
      for await (const { key } of storage.list(stagedPrefix(renderId))) keys.push(key);
    } catch (error) {
      unread++;
      remark(String(error));
    }
  }
  return { keys, unread };
}

function present(accountId: string, erased: Erased): Answer {
  const { jobs, files, imagesInUse, filesNotRemoved, keptInUse, archivePartsLeft } = erased;
  const { isArchiveBusy } = erased;
  const isComplete =
    imagesInUse + filesNotRemoved + keptInUse + archivePartsLeft === 0 && !isArchiveBusy;
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
    text: isComplete
      ? `The account is erased: ${jobs} jobs and ${files} files. The ledger and the hashes of images are kept.`
      : `${imagesInUse} images are references of unfinished jobs, ${keptInUse} kept files are in use, ${archivePartsLeft} parts of the archive could not be changed, and ${filesNotRemoved} files could not be removed.${isArchiveBusy ? " Another process works on the archive." : ""} Run this again later.`,
    exitCode: isComplete ? exitCodes.done : exitCodes.failed,
  };
}
