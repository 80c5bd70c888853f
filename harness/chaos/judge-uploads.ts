import type { AuditedStorage } from "@atelier/audit";
import type { Sql } from "@atelier/database";
import { uploadIdOf, uploadPrefix } from "@atelier/schemas";
import type { UploadRecord } from "./uploads.ts";

/** An upload as the database has it. */
export interface StoredUpload {
  readonly id: string;
  /** Null until its file is stored. */
  readonly sha256: string | null;
  readonly isDeleted: boolean;
}

/** Reads all uploads, and the ids that files in the storage belong to. */
export async function readUploads(
  sql: Sql,
  storage: AuditedStorage,
): Promise<{ readonly rows: readonly StoredUpload[]; readonly fileIds: readonly string[] }> {
  const fileIds: string[] = [];
  for await (const { key } of storage.list(uploadPrefix)) fileIds.push(uploadIdOf(key) ?? key);
  const rows = await sql.query<StoredUpload>(
    `SELECT id, sha256, deleted_at IS NOT NULL AS "isDeleted" FROM upload`,
  );
  return { rows, fileIds };
}

/**
 * Compares what clients know of their uploads with the rows and files, after all jobs are final and a sweep
 * has run: no upload is lost, no deleted one is left, and every file has a row, with which the sweep
 * removes it.
 *
 * @returns one line for each violation.
 */
export function judgeUploads(
  records: readonly UploadRecord[],
  rows: readonly StoredUpload[],
  fileIds: readonly string[],
): readonly string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const wrong = records.flatMap(({ id, sha256, state }) => {
    const row = byId.get(id);
    if (state === "deleted") return row === undefined ? [] : [`The deleted upload ${id} is left.`];
    if (state === "deleting") return [];
    return row?.sha256 === sha256 && !row.isDeleted ? [] : [`The upload ${id} is lost.`];
  });
  const left = fileIds.filter((id) => !byId.has(id));
  return [...wrong, ...left.map((id) => `The file of the upload ${id} has no row.`)];
}
