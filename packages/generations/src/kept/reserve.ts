import { statement, type Sql } from "@atelier/database";
import { AppError, type MemberKind, type StoredFormat } from "@atelier/schemas";
import { notifyKeeping } from "./keeping-channel.ts";

/** A file to keep. */
export interface FileToKeep {
  /** The image of a kept job that it is a copy of; null for the image of a character or location. */
  readonly renderId: string | null;
  readonly format: StoredFormat;
  /** Where it is to be kept. */
  readonly storageKey: string;
  /** Where it is now. */
  readonly sourceKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
}

/** Files of an account that are to be kept together. */
interface Reservation {
  readonly itemId: string;
  readonly accountId: string;
  readonly kind: "job" | MemberKind;
  readonly files: readonly FileToKeep[];
  readonly quotaBytes: number;
}

/** The bytes that an account keeps, and the most that it may keep. */
interface KeptUsage {
  readonly usedBytes: number;
  readonly quotaBytes: number;
}

/**
 * Counts files towards the quota of their account and records them, in one statement. Until a worker has
 * copied them, no retention deletes their sources. The caller holds the locks of the account and of the
 * images.
 *
 * @throws AppError `keep_quota_exceeded`.
 */
export async function reserveFiles(sql: Sql, reservation: Reservation): Promise<void> {
  const { itemId, accountId, kind, files, quotaBytes } = reservation;
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const reserved = await sql.query(
    ...reserve.bind({
      itemId,
      accountId,
      kind,
      quotaBytes,
      sizeBytes,
      files: JSON.stringify(files),
    }),
  );
  if (reserved.length === 0) {
    const usage = await readKeptUsage(sql, accountId);
    throw await quotaExceeded(sql, accountId, { usedBytes: usage, quotaBytes }, sizeBytes);
  }
}

const reserve = statement(
  ["itemId", "accountId", "kind", "quotaBytes", "sizeBytes", "files"],
  `WITH counted AS (
     UPDATE account SET kept_bytes = kept_bytes + :sizeBytes::bigint
      WHERE id = :accountId AND kept_bytes + :sizeBytes <= :quotaBytes::bigint
     RETURNING id
   ), item AS (
     INSERT INTO kept_item (id, account_id, kind, status, size_bytes)
     SELECT :itemId, id, :kind::kept_kind, 'copying', :sizeBytes FROM counted
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, size_bytes = excluded.size_bytes
     RETURNING id, account_id
   ), recorded AS (
     INSERT INTO kept_file (storage_key, item_id, account_id, render_id, format, source_key, sha256,
                            size_bytes, width, height)
     SELECT "storageKey", item.id, account_id, "renderId", format, "sourceKey", sha256, "sizeBytes",
            width, height
       FROM item, jsonb_to_recordset(:files::jsonb) AS file (
         "storageKey" text, "renderId" uuid, format image_format, "sourceKey" text, sha256 text,
         "sizeBytes" int, width int, height int)
   )
   SELECT ${notifyKeeping} FROM item`,
);

/** The bytes that an account keeps. */
export async function readKeptUsage(sql: Sql, accountId: string): Promise<number> {
  const [account] = await sql.query<{ usedBytes: bigint }>(
    `SELECT kept_bytes AS "usedBytes" FROM account WHERE id = $1`,
    [accountId],
  );
  return Number(account?.usedBytes ?? 0n);
}

/** Items that a refusal names. */
const namedItems = 5;

/** The error for files that the quota has no room for; it names the largest items. */
async function quotaExceeded(
  sql: Sql,
  accountId: string,
  { usedBytes, quotaBytes }: KeptUsage,
  requiredBytes: number,
): Promise<AppError> {
  const largest = await sql.query<{ id: string; kind: "job" | MemberKind; sizeBytes: bigint }>(
    `SELECT id, kind, size_bytes AS "sizeBytes" FROM kept_item
      WHERE account_id = $1 AND size_bytes > 0 ORDER BY size_bytes DESC LIMIT ${namedItems}`,
    [accountId],
  );
  return new AppError(
    "keep_quota_exceeded",
    `The account keeps ${megabytes(usedBytes)} of ${megabytes(quotaBytes)} MB, and this needs ${megabytes(requiredBytes)} MB more. Stop keeping jobs that are not needed, such as the largest in details, with DELETE /v1/jobs/{id}/keep, or delete characters and locations.`,
    {
      details: {
        used_bytes: usedBytes,
        quota_bytes: quotaBytes,
        required_bytes: requiredBytes,
        largest: largest.map(({ id, kind, sizeBytes }) => ({
          [`${kind}_id`]: id,
          size_bytes: Number(sizeBytes),
        })),
      },
    },
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

/**
 * Refuses to keep more bytes than the quota has room for. The caller holds the lock of the account.
 *
 * @throws AppError `keep_quota_exceeded`.
 */
export async function assertQuota(
  sql: Sql,
  change: { readonly accountId: string; readonly moreBytes: number; readonly quotaBytes: number },
): Promise<void> {
  const { accountId, moreBytes, quotaBytes } = change;
  if (moreBytes <= 0) return;
  const usedBytes = await readKeptUsage(sql, accountId);
  if (usedBytes + moreBytes <= quotaBytes) return;
  throw await quotaExceeded(sql, accountId, { usedBytes, quotaBytes }, moreBytes);
}

/**
 * Refuses to keep more when the quota is used up already. What is kept is counted when its size is known.
 *
 * @throws AppError `keep_quota_exceeded`.
 */
export async function assertRoomToKeep(
  sql: Sql,
  accountId: string,
  quotaBytes: number,
): Promise<void> {
  const usedBytes = await readKeptUsage(sql, accountId);
  if (usedBytes < quotaBytes) return;
  throw await quotaExceeded(sql, accountId, { usedBytes, quotaBytes }, 0);
}
