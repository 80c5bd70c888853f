import { beginErasure } from "@atelier/accounts";
import type { Database } from "@atelier/database";
import { dossierKeys, readDossierKey, stagedPrefix } from "@atelier/schemas";
import { eraseArchived } from "../archive/archived-account.ts";
import { forgetDossiers, listAttempts } from "../retention/dossiers.ts";
import { countKeptFiles, findKeptToRemove, forgetKept } from "../library/kept-files.ts";
import { listAccountPage, redactJobs } from "../retention/redact.ts";
import { expireImages, markImagesRemoved } from "../retention/retain.ts";
import { forgetUndeleted, rememberUndeleted } from "../retention/undeleted-dossiers.ts";
import {
  countUploads,
  deleteUploads,
  forgetUploads,
  takeUploadsToRemove,
  type UploadCursor,
} from "../uploads.ts";
import { recordErasure, type ErasureStorage } from "./erasure-records.ts";

const pageSize = 200;

/** Counts of what an erasure removed, and of what it could not remove yet. */
export interface Erased {
  readonly jobs: number;
  readonly files: number;
  /** Images that unfinished jobs of other accounts use as references. */
  readonly imagesInUse: number;
  /** Uploads that another process is removing count too. */
  readonly filesNotRemoved: number;
  /** Kept files that unfinished jobs use, that a worker may be copying, or that could not be removed. */
  readonly keptInUse: number;
  /** Parts of the archive that still have the account. */
  readonly archivePartsLeft: number;
  /** Whether another process works on the archive. */
  readonly isArchiveBusy: boolean;
}

/** Receives a line about progress, or about what could not be removed. */
export type ReportErasure = (line: string, isProblem?: boolean) => void;

/** The result of `eraseAccount`. Nothing was changed by one that is refused. */
export type ErasureResult =
  | { readonly kind: "erased"; readonly erased: Erased }
  | { readonly kind: "refused"; readonly unfinishedJobs: number }
  | { readonly kind: "unknown" };

/**
 * Erases an account (GDPR, Art. 17): prompts, requests, files and the dossiers of its images, in the archive too.
 * Transfers, hashes of images and the registry of marks stay, without names. The erasure is recorded in the storage
 * once the account is marked as erased, and before files and texts of jobs are removed, so that it is repeated after
 * a restore. The audit reports one that was interrupted before its record. Each page is committed on its own, so that
 * it can be run again after it was interrupted.
 *
 * @param onProgress receives a line after each page.
 */
export async function eraseAccount(
  database: Database,
  storage: ErasureStorage,
  accountId: string,
  onProgress: ReportErasure,
): Promise<ErasureResult> {
  const erasure = await beginErasure(database, accountId);
  if (erasure.kind !== "begun") return erasure;
  await recordErasure(storage, { accountId, erasedAt: erasure.erasedAt });
  return { kind: "erased", erased: await removeContent(database, storage, accountId, onProgress) };
}

/** Whether an erasure has removed everything. */
export function isFullyErased(erased: Erased): boolean {
  const { imagesInUse, filesNotRemoved, keptInUse, archivePartsLeft, isArchiveBusy } = erased;
  return imagesInUse + filesNotRemoved + keptInUse + archivePartsLeft === 0 && !isArchiveBusy;
}

async function removeContent(
  database: Database,
  storage: ErasureStorage,
  accountId: string,
  onProgress: ReportErasure,
): Promise<Erased> {
  let erased = await removeUploads(database, storage, accountId);
  const kept = await removeKept(database, storage, accountId);
  erased = { ...erased, ...kept, files: erased.files + kept.files };
  let after: string | null = null;
  do {
    const page = await listAccountPage(database, { accountId, after, limit: pageSize });
    const { toRemove, inUse } = await expireImages(database, page.renderIds);
    const staged = await listStaged(storage, page.recentRenderIds, onProgress);
    const dossiers = await leaveDossiersToSweep(database, page.renderIds);
    const keys = [...toRemove.map(({ storageKey }) => storageKey), ...staged.keys, ...dossiers];
    const failed = new Set((await storage.delete(keys)).map(({ key }) => key));
    await forgetUndeleted(
      database,
      dossiers.filter((key) => !failed.has(key)).flatMap((key) => readDossierKey(key) ?? []),
    );
    await markImagesRemoved(
      database,
      toRemove.filter(({ storageKey }) => !failed.has(storageKey)),
    );
    await redactJobs(database, page.generationIds);
    erased = {
      ...erased,
      jobs: erased.jobs + page.generationIds.length,
      files: erased.files + keys.length - failed.size,
      imagesInUse: erased.imagesInUse + inUse,
      filesNotRemoved: erased.filesNotRemoved + failed.size + staged.unread,
    };
    onProgress(`${erased.jobs} jobs, ${erased.files} files`);
    after = page.next;
  } while (after !== null);
  const archived = await eraseArchived(database, storage, accountId);
  for (const problem of archived.problems) onProgress(problem, true);
  onProgress(`${archived.jobs} archived jobs`);
  return {
    ...erased,
    jobs: erased.jobs + archived.jobs,
    files: erased.files + archived.files,
    filesNotRemoved: erased.filesNotRemoved + archived.filesNotRemoved,
    archivePartsLeft: archived.partsLeft,
    isArchiveBusy: archived.isBusy,
  };
}

/**
 * Forgets the dossiers of renders, and lets the sweep delete them if this process cannot or dies before.
 *
 * @returns their keys.
 */
function leaveDossiersToSweep(
  database: Database,
  renderIds: readonly string[],
): Promise<readonly string[]> {
  return database.transaction(async (sql) => {
    await forgetDossiers(sql, renderIds);
    const keys = (await listAttempts(sql, renderIds)).flatMap(dossierKeys);
    await rememberUndeleted(sql, keys);
    return keys;
  });
}

async function removeUploads(
  database: Database,
  storage: ErasureStorage,
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
    after = page.next;
  } while (after !== null);
  // A sweep may be removing the others.
  erased.filesNotRemoved = await countUploads(database, accountId);
  return erased;
}

/** Removes the files that the account kept. Others are references of unfinished jobs, or being copied. */
async function removeKept(
  database: Database,
  storage: ErasureStorage,
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
  storage: ErasureStorage,
  renderIds: readonly string[],
  onProgress: ReportErasure,
): Promise<{ readonly keys: readonly string[]; readonly unread: number }> {
  const keys: string[] = [];
  let unread = 0;
  for (const renderId of renderIds) {
    try {
      for await (const { key } of storage.list(stagedPrefix(renderId))) keys.push(key);
    } catch (error) {
      unread++;
      onProgress(String(error), true);
    }
  }
  return { keys, unread };
}
