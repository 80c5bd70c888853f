import { newId, type Sql } from "@atelier/database";
import { archiveKey } from "@atelier/schemas";
import {
  accountsOf,
  writeArchiveFile,
  type ArchiveFile,
  type ArchiveStorage,
} from "./archive-file.ts";
import type { JobLines } from "./archived-tables.ts";

/** A part of the archive: a file with all rows of some jobs of a month. */
export interface ArchivePart {
  readonly id: string;
  readonly month: string;
  /** Those with jobs in the file, which the erasure of an account finds. */
  readonly accountIds: readonly string[];
  readonly jobs: number;
  readonly jobsDeleted: number;
  /** The verified file; null until then. */
  readonly file: ArchiveFile | null;
  /** A file that is being written or to be deleted. */
  readonly pendingKey: string | null;
  readonly createdAt: Date;
  /** Null until all of its jobs are removed from the tables. */
  readonly completedAt: Date | null;
}

const columns = `id, month, account_ids AS "accountIds", jobs, jobs_deleted AS "jobsDeleted", pending_key AS "pendingKey",
  created_at AS "createdAt", completed_at AS "completedAt",
  CASE WHEN storage_key IS NOT NULL THEN json_build_object(
    'key', storage_key, 'sha256', sha256, 'sizeBytes', size_bytes) END AS file`;

/** Reads all parts of the archive, oldest jobs first. */
export function readParts(sql: Sql): Promise<ArchivePart[]> {
  return sql.query(`SELECT ${columns} FROM archive_part ORDER BY first_id, id`);
}

/** Reads the parts that an interrupted run left unfinished. */
export function readOpenParts(sql: Sql): Promise<ArchivePart[]> {
  return sql.query(
    `SELECT ${columns} FROM archive_part WHERE completed_at IS NULL OR pending_key IS NOT NULL ORDER BY id`,
  );
}

/** Reads a part; null if it was discarded. */
export async function findPart(sql: Sql, id: string): Promise<ArchivePart | null> {
  const [found] = await sql.query<ArchivePart>(
    `SELECT ${columns} FROM archive_part WHERE id = $1`,
    [id],
  );
  return found ?? null;
}

/** Reads the parts that may have a job. */
export function readPartsAround(sql: Sql, jobId: string): Promise<ArchivePart[]> {
  return sql.query(
    `SELECT ${columns} FROM archive_part WHERE $1::uuid BETWEEN first_id AND last_id ORDER BY first_id, id`,
    [jobId],
  );
}

/** Reads the parts with jobs of an account. */
export function readPartsOf(sql: Sql, accountId: string): Promise<ArchivePart[]> {
  return sql.query(
    `SELECT ${columns} FROM archive_part WHERE $1 = ANY (account_ids) ORDER BY first_id, id`,
    [accountId],
  );
}

/**
 * Reads the parts that may have jobs of an account, recorded or not: versions up to 0.2 did not record accounts
 * that were being erased.
 */
export function findPartsOf(sql: Sql, accountId: string): Promise<ArchivePart[]> {
  return sql.query(
    `SELECT ${columns} FROM archive_part
      WHERE $1 = ANY (account_ids)
         OR EXISTS (SELECT FROM hold WHERE generation_id BETWEEN first_id AND last_id AND account_id = $1)
      ORDER BY first_id, id`,
    [accountId],
  );
}

/**
 * Records a part before its file is written, so that an interrupted run leaves no unknown file. An account that
 * is erased meanwhile is recorded too: its erasure removes what the file has of it.
 *
 * @param part.lines in the order of their ids.
 */
export async function openPart(
  sql: Sql,
  part: { readonly month: string; readonly lines: JobLines },
): Promise<ArchivePart> {
  const id = newId();
  const { month, lines } = part;
  const jobIds = [...lines.keys()];
  const [opened] = await sql.query<ArchivePart>(
    `INSERT INTO archive_part (id, month, first_id, last_id, account_ids, jobs, pending_key)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
    [id, month, jobIds[0], jobIds.at(-1), accountsOf(lines), lines.size, archiveKey(month, id)],
  );
  if (opened === undefined) throw new Error("no part was inserted");
  return opened;
}

/**
 * Writes the first file of a part, or replaces its file. The earlier file is deleted once the new one is
 * recorded.
 *
 * @throws Error when the storage loses the file, or another process changed the part.
 */
export async function writePart(
  { sql, storage }: { readonly sql: Sql; readonly storage: ArchiveStorage },
  part: ArchivePart,
  { lines, jobs }: { readonly lines: JobLines; readonly jobs: number },
): Promise<ArchivePart> {
  const key = part.pendingKey ?? (await startReplacing(sql, part));
  const file = await writeArchiveFile(storage, key, lines);
  const [written] = await sql.query<ArchivePart>(
    `UPDATE archive_part SET storage_key = $2, pending_key = storage_key, sha256 = $3, size_bytes = $4,
            jobs = $5, account_ids = $6
      WHERE id = $1 AND pending_key = $2 RETURNING ${columns}`,
    [part.id, key, file.sha256, file.sizeBytes, jobs, accountsOf(lines)],
  );
  if (written === undefined) throw changedElsewhere(part);
  return written.pendingKey === null ? written : deletePending({ sql, storage }, written);
}

async function startReplacing(sql: Sql, part: ArchivePart): Promise<string> {
  const key = archiveKey(part.month, newId());
  const started = await sql.query(
    `UPDATE archive_part SET pending_key = $2
      WHERE id = $1 AND pending_key IS NULL AND storage_key = $3 RETURNING id`,
    [part.id, key, part.file?.key ?? null],
  );
  if (started.length === 0) throw changedElsewhere(part);
  return key;
}

/**
 * Deletes a file that an interrupted run wrote, or that was replaced.
 *
 * @throws Error when the storage can't delete it.
 */
export async function deletePending(
  { sql, storage }: { readonly sql: Sql; readonly storage: ArchiveStorage },
  part: ArchivePart,
): Promise<ArchivePart> {
  const { id, pendingKey } = part;
  const failed = await storage.delete(pendingKey === null ? [] : [pendingKey]);
  if (failed.length > 0) {
    throw new Error(`The storage did not delete ${pendingKey}. Run this again later.`);
  }
  await sql.query("UPDATE archive_part SET pending_key = NULL WHERE id = $1 AND pending_key = $2", [
    id,
    pendingKey,
  ]);
  return { ...part, pendingKey: null };
}

/**
 * Discards a part none of whose jobs was removed from the tables, with its file.
 *
 * @throws Error when the storage can't delete the file.
 */
export async function discardPart(
  { sql, storage }: { readonly sql: Sql; readonly storage: ArchiveStorage },
  { id }: ArchivePart,
): Promise<void> {
  const [discarded] = await sql.query<ArchivePart>(
    `UPDATE archive_part SET pending_key = coalesce(storage_key, pending_key), storage_key = NULL
      WHERE id = $1 AND jobs_deleted = 0 RETURNING ${columns}`,
    [id],
  );
  if (discarded === undefined) return;
  await deletePending({ sql, storage }, discarded);
  await sql.query("DELETE FROM archive_part WHERE id = $1 AND storage_key IS NULL", [id]);
}

/**
 * Counts jobs of a part that this transaction removes from the tables.
 *
 * @throws Error when another process discarded the part or replaced its file, which may lack these jobs.
 */
export async function countRemoved(sql: Sql, part: ArchivePart, jobs: number): Promise<void> {
  const counted = await sql.query(
    `UPDATE archive_part SET jobs_deleted = jobs_deleted + $3
      WHERE id = $1 AND storage_key = $2 RETURNING id`,
    [part.id, part.file?.key ?? null, jobs],
  );
  if (counted.length === 0) throw changedElsewhere(part);
}

/** Records that all jobs of a part are removed from the tables. */
export async function completePart(sql: Sql, part: ArchivePart): Promise<void> {
  const completed = await sql.query(
    `UPDATE archive_part SET completed_at = coalesce(completed_at, now())
      WHERE id = $1 AND jobs_deleted = jobs AND storage_key = $2 RETURNING id`,
    [part.id, part.file?.key ?? null],
  );
  if (completed.length === 0) throw changedElsewhere(part);
}

function changedElsewhere({ id, month }: ArchivePart): Error {
  return new Error(`Another process changed the part ${id} of ${month}. Run this again later.`);
}
