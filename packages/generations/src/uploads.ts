import { statement, type Database, type Sql } from "@atelier/database";
import {
  AppError,
  isKeptKey,
  quotaOf,
  renderIdOf,
  uploadIdOf,
  uploadKey,
  type KeyMode,
  type ReceivedFormat,
} from "@atelier/schemas";
import { accountErased } from "./accept/explain-refusal.ts";
import { uuid } from "./accept/references.ts";
import type { Owner } from "./jobs/find.ts";
import { isReference } from "./retention/retain.ts";

/** An image that a client uploaded. */
export interface Upload {
  readonly id: string;
  readonly storageKey: string;
  readonly format: ReceivedFormat;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  readonly createdAt: Date;
  /** It is deleted then, unless an unfinished job uses it. */
  readonly expiresAt: Date;
}

/** Time to receive an upload; the sweep removes what is left of those that took longer. */
const receiveWithin = "1 hour";

/** Smaller uploads count as this towards the quota, which bounds their number. */
const minCountedBytes = 100_000;

/**
 * Reserves a part of an account's quota for an upload, before any of it is received. Concurrent uploads
 * of an account are counted one after another, so that they cannot exceed the quota together.
 *
 * @throws AppError `upload_quota_exceeded`, or `account_suspended` when the account was erased after the
 *   request was authenticated.
 */
export function reserveUpload(
  database: Database,
  upload: {
    readonly id: string;
    readonly accountId: string;
    readonly keyId: string;
    readonly mode: KeyMode;
    readonly sizeBytes: number;
    /** That of live keys. */
    readonly quotaBytes: number;
  },
): Promise<void> {
  const { id, accountId, keyId, mode, sizeBytes } = upload;
  const quotaBytes = quotaOf(mode, upload.quotaBytes);
  return database.transaction(async (sql) => {
    // Locks first, so that the next statement sees all uploads that are reserved. An erasure locks the
    // account too.
    const kept = await sql.query(
      "SELECT FROM account WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE",
      [accountId],
    );
    if (kept.length === 0) throw accountErased();
    const reserved = await sql.query(
      `INSERT INTO upload (id, account_id, key_id, size_bytes, expires_at)
       SELECT $1, $2, $3, $4, now() + interval '${receiveWithin}'
        WHERE greatest($4, ${minCountedBytes}) + (
                SELECT coalesce(sum(greatest(size_bytes, ${minCountedBytes})), 0)
                  FROM upload JOIN api_key AS maker ON maker.id = key_id
                 WHERE upload.account_id = $2 AND upload.id <> $1 AND maker.mode = $6) <= $5::bigint
       ON CONFLICT (id) DO UPDATE SET size_bytes = excluded.size_bytes
       RETURNING id`,
      [id, accountId, keyId, sizeBytes, quotaBytes, mode],
    );
    if (reserved.length === 0) throw quotaExceeded(quotaBytes);
  });
}

function quotaExceeded(quotaBytes: number): AppError {
  return new AppError(
    "upload_quota_exceeded",
    "The uploads of this account would exceed its quota. Delete uploads that are not needed, or wait until they expire.",
    { details: { quota_bytes: quotaBytes } },
  );
}

/** Another upload of the account was completed with the same idempotency key. */
export class UploadKeyTakenError extends Error {
  override readonly name = "UploadKeyTakenError";
}

/**
 * Records an upload whose file is stored, with its idempotency key. Until then the key is free: a request
 * that ends before leaves nothing, and the first of concurrent ones to get here has the key. The
 * statements are safe to repeat.
 *
 * @returns null when the sweep has removed the upload in the meantime.
 * @throws UploadKeyTakenError when another upload has the idempotency key.
 */
export async function completeUpload(
  sql: Sql,
  upload: Omit<Upload, "createdAt" | "expiresAt"> & {
    readonly retentionMs: number;
    readonly idempotencyKey: string | null;
  },
): Promise<Upload | null> {
  const { id, storageKey, format, sha256, sizeBytes, width, height, retentionMs } = upload;
  const { idempotencyKey } = upload;
  if (idempotencyKey !== null) {
    // An upload that can't be used any more gives up its key.
    await sql.query(
      `UPDATE upload SET idempotency_key = NULL
        WHERE account_id = (SELECT account_id FROM upload WHERE id = $1) AND id <> $1
          AND idempotency_key = $2 AND NOT (${isUsable})`,
      [id, idempotencyKey],
    );
  }
  try {
    const [completed] = await sql.query<Upload>(
      `UPDATE upload
          SET storage_key = $2, format = $3, sha256 = $4, size_bytes = $5, width = $6, height = $7,
              expires_at = created_at + $8 * interval '1 ms', idempotency_key = $9
        WHERE id = $1 AND deleted_at IS NULL
       RETURNING ${columns}`,
      [id, storageKey, format, sha256, sizeBytes, width, height, retentionMs, idempotencyKey],
    );
    return completed ?? null;
  } catch (cause) {
    const { constraint } = cause as { readonly constraint?: unknown };
    if (constraint !== "upload_account_id_idempotency_key_key") throw cause;
    throw new UploadKeyTakenError("another upload has this idempotency key", { cause });
  }
}

/** Finds the upload of an account with an idempotency key, and the key that requested it, with its mode. */
export async function findUploadOfKey(
  sql: Sql,
  use: { readonly accountId: string; readonly idempotencyKey: string },
): Promise<(Upload & { readonly keyId: string; readonly mode: KeyMode }) | null> {
  const [found] = await sql.query<Upload & { readonly keyId: string; readonly mode: KeyMode }>(
    `SELECT ${columns}, key_id AS "keyId",
            (SELECT mode FROM api_key WHERE api_key.id = key_id) AS mode FROM upload
      WHERE account_id = $1 AND idempotency_key = $2 AND ${isUsable}`,
    [use.accountId, use.idempotencyKey],
  );
  return found ?? null;
}

/**
 * Marks an upload that cannot be decoded, so that no new job uses it and it is decoded once. The
 * statement is safe to repeat.
 */
export async function markUploadUnusable(sql: Sql, id: string): Promise<void> {
  await sql.query("UPDATE upload SET unusable_at = now() WHERE id = $1 AND unusable_at IS NULL", [
    id,
  ]);
}

/** Properties of an upload that decide whether a job may use it. */
export interface UploadFacts extends Pick<Upload, "id" | "width" | "height"> {
  /** Whether a worker could not decode it. */
  readonly isUnusable: boolean;
}

/** Finds stored uploads of any account, also those whose time is over. */
export function findUploadFacts(sql: Sql, ids: readonly string[]): Promise<UploadFacts[]> {
  return sql.query(
    `SELECT id, width, height, unusable_at IS NOT NULL AS "isUnusable"
       FROM upload WHERE id = ANY ($1) AND storage_key IS NOT NULL`,
    [ids],
  );
}

/** Finds the pixels of a stored upload, image of a job or kept file by its key; null when it has no row. */
export async function findStoredSize(
  sql: Sql,
  key: string,
): Promise<Pick<Upload, "width" | "height"> | null> {
  if (isKeptKey(key)) {
    const [kept] = await sql.query<Pick<Upload, "width" | "height">>(
      "SELECT width, height FROM kept_file WHERE storage_key = $1",
      [key],
    );
    return kept ?? null;
  }
  const uploadId = uploadIdOf(key);
  const id = uploadId ?? renderIdOf(key);
  if (!uuid.test(id)) return null;
  const [found] = await sql.query<Pick<Upload, "width" | "height">>(
    uploadId === null
      ? "SELECT width, height FROM image WHERE render_id = $1 AND storage_key = $2"
      : "SELECT width, height FROM upload WHERE id = $1 AND storage_key = $2",
    [id, key],
  );
  return found ?? null;
}

const columns = `
  id, storage_key AS "storageKey", format, sha256, size_bytes AS "sizeBytes", width, height,
  created_at AS "createdAt", expires_at AS "expiresAt"`;

const isUsable = "storage_key IS NOT NULL AND deleted_at IS NULL AND expires_at > now()";

/** SQL: an upload has the mode of the key that sent it. */
const isOfMode = (mode: string) =>
  `(${mode}::key_mode IS NULL OR EXISTS (SELECT FROM api_key WHERE id = upload.key_id AND api_key.mode = ${mode}))`;

/** Finds an upload that can be used, or returns null. */
export async function findUpload(
  sql: Sql,
  target: Owner & { readonly id: string },
): Promise<Upload | null> {
  const [found] = await sql.query<Upload>(
    `SELECT ${columns} FROM upload
      WHERE id = $1 AND account_id = $2 AND ($3::uuid IS NULL OR key_id = $3)
        AND ${isOfMode("$4")} AND ${isUsable}`,
    [target.id, target.accountId, target.keyId ?? null, target.mode ?? null],
  );
  return found ?? null;
}

/** Lists the usable uploads of an account, oldest first; the quota bounds their number. */
export function listUploads(sql: Sql, accountId: string): Promise<Upload[]> {
  return sql.query(
    `SELECT ${columns} FROM upload WHERE account_id = $1 AND ${isUsable} ORDER BY id`,
    [accountId],
  );
}

/**
 * Ends the time of uploads of an account: no new job may use them, and the sweep removes their files.
 *
 * @param target.id one upload; null for all.
 * @returns the number of uploads.
 */
export async function deleteUploads(
  sql: Sql,
  target: Owner & { readonly id: string | null },
): Promise<number> {
  const deleted = await sql.query(
    `UPDATE upload SET deleted_at = now(), expires_at = least(expires_at, now())
      WHERE account_id = $2 AND ($1::uuid IS NULL OR id = $1) AND ($3::uuid IS NULL OR key_id = $3)
        AND ${isOfMode("$4")} AND deleted_at IS NULL
     RETURNING id`,
    [target.id, target.accountId, target.keyId ?? null, target.mode ?? null],
  );
  return deleted.length;
}

/** An upload to remove, with the keys that its file may have. */
export interface RemovableUpload {
  readonly id: string;
  readonly keys: readonly string[];
}

/** The last upload of a page, in the order of their expiry. */
export interface UploadCursor {
  /** As Postgres writes it, in microseconds. */
  readonly expiresAt: string;
  readonly id: string;
}

/**
 * Finds uploads whose time is over and that no unfinished job uses, and marks them as deleted, so that
 * no new job uses them.
 *
 * @param options.id only this upload.
 * @param options.accountId only those of this account.
 * @param options.after cursor of the previous page.
 * @returns at most `limit` uploads; `next` is null on the last page.
 */
export function takeUploadsToRemove(
  database: Database,
  options: {
    readonly id?: string;
    readonly accountId?: string;
    readonly after?: UploadCursor | null;
    readonly limit: number;
  },
): Promise<{ readonly uploads: RemovableUpload[]; readonly next: UploadCursor | null }> {
  return database.transaction(async (sql) => {
    // Locks first, so that the next statement sees every job that was accepted with one of them.
    const removable = await sql.query<UploadCursor>(
      ...lockRemovable.bind({
        id: options.id ?? null,
        accountId: options.accountId ?? null,
        afterTime: options.after?.expiresAt ?? "-infinity",
        afterId: options.after?.id ?? "00000000-0000-0000-0000-000000000000",
        limit: options.limit,
      }),
    );
    const taken = await sql.query<{ id: string; format: ReceivedFormat | null }>(
      `UPDATE upload SET deleted_at = coalesce(deleted_at, now())
        WHERE id = ANY ($1) AND NOT coalesce(${isReference}, false)
       RETURNING id, format`,
      [removable.map(({ id }) => id)],
    );
    const uploads = taken.map(({ id, format }) => ({
      id,
      // The format is unknown if the upload was not recorded as stored.
      keys: (format === null ? (["png", "jpeg", "webp"] as const) : [format]).map((one) =>
        uploadKey(id, one),
      ),
    }));
    const last = removable.at(-1);
    return { uploads, next: last === undefined || removable.length < options.limit ? null : last };
  });
}

const lockRemovable = statement(
  ["id", "accountId", "afterTime", "afterId", "limit"],
  `SELECT expires_at::text AS "expiresAt", id FROM upload
    WHERE expires_at <= now() AND (:id::uuid IS NULL OR id = :id)
      AND (:accountId::uuid IS NULL OR account_id = :accountId)
      AND (expires_at, id) > (:afterTime::timestamptz, :afterId::uuid)
      AND NOT coalesce(${isReference}, false)
    ORDER BY upload.expires_at, id LIMIT :limit FOR UPDATE SKIP LOCKED`,
);

/** Deletes the rows of uploads whose files are removed. */
export async function forgetUploads(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query("DELETE FROM upload WHERE id = ANY ($1) AND deleted_at IS NOT NULL", [ids]);
}

/** Counts the uploads of an account whose rows are there, deleted ones included. */
export async function countUploads(sql: Sql, accountId: string): Promise<number> {
  const [counted] = await sql.query<{ uploads: number }>(
    "SELECT count(*)::int AS uploads FROM upload WHERE account_id = $1",
    [accountId],
  );
  return counted?.uploads ?? 0;
}
