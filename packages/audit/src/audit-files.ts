import { createHash } from "node:crypto";
import type { Sql } from "@atelier/database";
import {
  archivePrefix,
  dossierPrefix,
  erasurePrefix,
  filePrefixes,
  keptPrefix,
  readErasureKey,
  uploadPrefix,
} from "@atelier/schemas";
import { findMisplacedAccounts, listArchivedFiles } from "./archived-accounts.ts";
import { findAbandonedDossiers } from "./abandoned-dossiers.ts";
import { maxExamples, type Finding } from "./audit-database.ts";
import {
  archiveFiles,
  keptCopies,
  keptDossiers,
  keptImages,
  keptUploads,
  type RecordedFile,
} from "./kept-files.ts";
import { findUnlikeErasures } from "./recorded-erasures.ts";

/** The operations of a storage that the audit needs. */
export interface AuditedStorage {
  /** Objects whose keys start with the prefix, in key order. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly sizeBytes: number }>;
  get(key: string): Promise<{ readonly bytes: Uint8Array } | null>;
}

/** Names of the checks of files. */
export const fileChecks = {
  images: "Every image that is kept exists in storage and is what is recorded.",
  uploads: "Every upload that is kept exists in storage and is what was received.",
  kept: "Every file that is kept until it is deleted exists in storage and is what is recorded.",
  keptWithoutRow: "Every file under the prefix of kept files is recorded.",
  dossiers: "Every registered dossier exists in storage.",
  archive: "Every file of the archive exists in storage and is what was written.",
  archiveAccounts:
    "A file of the archive has no text of an erased account, and records all others.",
  archiveWithoutRow: "Every file under the prefix of the archive is recorded.",
  erasures:
    "Every account that the storage records as erased is erased, and every erased account is recorded there.",
  abandonedDossiers:
    "A render that the sweep has passed has no dossier but the registered one, and those that it tries to delete again.",
} as const;

/**
 * Checks that every kept image and upload exists in storage with its recorded size, and a random sample
 * also for its hash; that every registered dossier exists, and no other one that the sweep should have
 * deleted; that files that an account keeps and files of the archive have rows, and their rows files; that
 * sampled files of the archive have no text of erased accounts; and that the records of erasures are those of the
 * database. Rows and objects are merged in key order, so
 * that memory does not grow with their number.
 *
 * @param hashShare share of files to read and hash, 0 to 1.
 */
export async function auditFiles(
  sql: Sql,
  storage: AuditedStorage,
  hashShare: number,
): Promise<readonly Finding[]> {
  const images = {
    invariant: fileChecks.images,
    prefix: filePrefixes.renders,
    files: keptImages(sql),
  };
  const uploads = {
    invariant: fileChecks.uploads,
    prefix: uploadPrefix,
    files: keptUploads(sql),
  };
  const dossiers = {
    invariant: fileChecks.dossiers,
    prefix: dossierPrefix,
    files: keptDossiers(sql),
  };
  const findings: Finding[] = [];
  const kept = { invariant: fileChecks.kept, prefix: keptPrefix, files: keptCopies(sql) };
  const archive = {
    invariant: fileChecks.archive,
    prefix: archivePrefix,
    files: archiveFiles(sql),
  };
  for (const files of [images, uploads, dossiers, kept, archive]) {
    findings.push(await check(files, storage, hashShare));
  }
  findings.push(await checkArchivedAccounts(sql, storage, hashShare));
  findings.push(await checkErasures(sql, storage));
  const { keptWithoutRow, archiveWithoutRow, abandonedDossiers } = fileChecks;
  findings.push(
    await checkListed(
      { invariant: keptWithoutRow, prefix: keptPrefix, find: findUnrecorded },
      { sql, storage },
    ),
    await checkListed(
      { invariant: archiveWithoutRow, prefix: archivePrefix, find: findUnarchived },
      { sql, storage },
    ),
    await checkListed(
      { invariant: abandonedDossiers, prefix: dossierPrefix, find: findAbandonedDossiers },
      { sql, storage },
    ),
  );
  return findings;
}

/** Finds files that should not exist under a prefix, in pages of the listing. */
async function checkListed(
  {
    invariant,
    prefix,
    find,
  }: {
    readonly invariant: string;
    readonly prefix: string;
    /** The keys among these that violate the invariant. */
    readonly find: (sql: Sql, keys: readonly string[]) => Promise<readonly string[]>;
  },
  { sql, storage }: { readonly sql: Sql; readonly storage: AuditedStorage },
): Promise<Finding> {
  const examples: object[] = [];
  let checked = 0;
  let violations = 0;
  for await (const keys of inPages(storage.list(prefix))) {
    checked += keys.length;
    for (const file of await find(sql, keys)) {
      // It may have been deleted since it was listed.
      if ((await read(file, storage)) === null) continue;
      violations++;
      if (examples.length < maxExamples) examples.push({ file });
    }
  }
  return { invariant, checked, violations, repair: null, examples };
}

const listedAtOnce = 1_000;

async function* inPages(
  objects: AsyncIterable<{ readonly key: string }>,
): AsyncGenerator<string[]> {
  let page: string[] = [];
  for await (const { key } of objects) {
    page.push(key);
    if (page.length < listedAtOnce) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** The keys that have no row. A file is removed before its row. */
async function findUnrecorded(sql: Sql, keys: readonly string[]): Promise<string[]> {
  const recorded = await sql.query<{ key: string }>(
    "SELECT storage_key AS key FROM kept_file WHERE storage_key = ANY ($1)",
    [keys],
  );
  const known = new Set(recorded.map(({ key }) => key));
  return keys.filter((key) => !known.has(key));
}

/** The keys that no part of the archive has or is writing. */
async function findUnarchived(sql: Sql, keys: readonly string[]): Promise<string[]> {
  const recorded = await sql.query<{ key: string }>(
    "SELECT unnest(array[storage_key, pending_key]) AS key FROM archive_part",
  );
  const known = new Set(recorded.map(({ key }) => key));
  return keys.filter((key) => !known.has(key));
}

/** Reads a share of the files of the archive for accounts that should not be in them. */
async function checkArchivedAccounts(
  sql: Sql,
  storage: Pick<AuditedStorage, "get">,
  share: number,
): Promise<Finding> {
  const examples: object[] = [];
  let checked = 0;
  let violations = 0;
  for (const file of await listArchivedFiles(sql)) {
    if (Math.random() >= share) continue;
    const stored = await read(file.key, storage);
    // It may have been replaced since it was listed; another check finds missing and unreadable files.
    if (stored === null || stored instanceof Error) continue;
    checked++;
    for (const found of await findMisplacedAccounts(sql, file, stored.bytes)) {
      violations++;
      if (examples.length < maxExamples) examples.push({ file: file.key, ...found });
    }
  }
  const repair = "npm run atelier -- accounts erase <account-id> --yes";
  return { invariant: fileChecks.archiveAccounts, checked, violations, repair, examples };
}

async function checkErasures(sql: Sql, storage: Pick<AuditedStorage, "list">): Promise<Finding> {
  const recorded: string[] = [];
  for await (const { key } of storage.list(erasurePrefix)) {
    const accountId = readErasureKey(key);
    if (accountId !== null) recorded.push(accountId);
  }
  const unlike = await findUnlikeErasures(sql, recorded);
  return {
    invariant: fileChecks.erasures,
    checked: recorded.length,
    violations: unlike.length,
    repair: "npm run atelier -- accounts repeat-erasures --yes",
    examples: unlike.slice(0, maxExamples),
  };
}

/** Recorded files under a prefix of the storage, in key order. */
interface CheckedFiles {
  readonly invariant: string;
  readonly prefix: string;
  readonly files: AsyncIterable<RecordedFile>;
}

async function check(
  { invariant, prefix, files }: CheckedFiles,
  storage: AuditedStorage,
  hashShare: number,
): Promise<Finding> {
  const examples: object[] = [];
  let checked = 0;
  let violations = 0;
  const objects = storage.list(prefix)[Symbol.asyncIterator]();
  let object = await objects.next();
  for await (const file of files) {
    checked++;
    while (object.done !== true && object.value.key < file.key) object = await objects.next();
    const sizeBytes =
      object.done !== true && object.value.key === file.key ? object.value.sizeBytes : null;
    const found = await describe(file, sizeBytes, storage, Math.random() < hashShare);
    // It may have been deleted after its row was read.
    if (found === null || !(await file.isKept())) continue;
    violations++;
    if (examples.length < maxExamples) examples.push({ file: file.key, ...found });
  }
  await objects.return?.();
  return { invariant, checked, violations, repair: null, examples };
}

/** Reads a file. One that the storage cannot read is a finding, and the others are still checked. */
async function read(key: string, storage: Pick<AuditedStorage, "get">) {
  try {
    return await storage.get(key);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The problem of a stored file; null if it is intact. */
async function describe(
  { key, content }: RecordedFile,
  sizeBytes: number | null,
  storage: AuditedStorage,
  hashed: boolean,
): Promise<object | null> {
  if (sizeBytes !== null && content === null) return null;
  if (sizeBytes !== null && sizeBytes !== content?.sizeBytes) return { sizeBytes };
  if (sizeBytes !== null && !hashed) return null;
  // It may have been written after the listing passed its key.
  const stored = await read(key, storage);
  if (stored instanceof Error) return { unreadable: stored.message };
  if (stored === null) return { missing: true };
  if (content === null) return null;
  const sha256 = createHash("sha256").update(stored.bytes).digest("hex");
  return sha256 === content.sha256 ? null : { sha256 };
}
