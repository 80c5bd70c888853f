import { statement, type Sql } from "@atelier/database";
import {
  AppError,
  quotaOf,
  type KeyMode,
  type MemberKind,
  type ReceivedFormat,
  type StoredFormat,
} from "@atelier/schemas";
import { notifyKeeping } from "./keeping-channel.ts";

/** A file to keep. */
export interface FileToKeep {
  /** The image of a kept job that it is a copy of; null for the image of a character or location. */
  readonly renderId: string | null;
  readonly format: StoredFormat | ReceivedFormat;
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
interface Reservation extends KeepQuota {
  readonly itemId: string;
  readonly kind: "job" | MemberKind;
  readonly files: readonly FileToKeep[];
}

/** The quota of kept bytes of an account and mode. */
export interface KeepQuota {
  readonly accountId: string;
  /** That of the job, character or location. */
  readonly mode: KeyMode;
  /** The most that an account may keep of live keys. */
  readonly quotaBytes: number;
}

/**
 * Counts files towards the quota of their account and records them. Until a worker has copied them, no
 * retention deletes their sources. The caller holds the locks of the account and of the images.
 *
 * @throws AppError `keep_quota_exceeded`.
 */
export async function reserveFiles(sql: Sql, reservation: Reservation): Promise<void> {
  const { itemId, accountId, kind, files } = reservation;
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  await assertQuota(sql, reservation, sizeBytes);
  await sql.query(
    ...reserve.bind({ itemId, accountId, kind, sizeBytes, files: JSON.stringify(files) }),
  );
}

const reserve = statement(
  ["itemId", "accountId", "kind", "sizeBytes", "files"],
  `WITH counted AS (
     UPDATE account SET kept_bytes = kept_bytes + :sizeBytes::bigint WHERE id = :accountId
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

/** SQL: the bytes that an account keeps of tests. An item has the id of its job, character or location. */
const testBytes = `(
  SELECT coalesce(sum(item.size_bytes), 0) FROM kept_item AS item
    LEFT JOIN generation ON generation.id = item.id LEFT JOIN cast_member AS member ON member.id = item.id
   WHERE item.account_id = account.id AND coalesce(generation.mode, member.mode) = 'test')::bigint`;

/** The bytes that an account keeps of a mode. */
export async function readKeptUsage(
  sql: Sql,
  { accountId, mode }: Pick<KeepQuota, "accountId" | "mode">,
): Promise<number> {
  const [account] = await sql.query<{ usedBytes: bigint }>(
    `SELECT CASE $2::key_mode WHEN 'test' THEN ${testBytes} ELSE kept_bytes - ${testBytes} END AS "usedBytes"
       FROM account WHERE id = $1`,
    [accountId, mode],
  );
  return Number(account?.usedBytes ?? 0n);
}

/** Items that a refusal names. */
const namedItems = 5;

/** The error for files that the quota has no room for; it names the largest items of the mode. */
async function quotaExceeded(
  sql: Sql,
  { accountId, mode, quotaBytes }: KeepQuota,
  { usedBytes, requiredBytes }: { readonly usedBytes: number; readonly requiredBytes: number },
): Promise<AppError> {
  const largest = await sql.query<{ id: string; kind: "job" | MemberKind; sizeBytes: bigint }>(
    `SELECT item.id, item.kind, item.size_bytes AS "sizeBytes" FROM kept_item AS item
       LEFT JOIN generation ON generation.id = item.id LEFT JOIN cast_member AS member ON member.id = item.id
      WHERE item.account_id = $1 AND item.size_bytes > 0 AND coalesce(generation.mode, member.mode, 'live') = $2
      ORDER BY item.size_bytes DESC LIMIT ${namedItems}`,
    [accountId, mode],
  );
  return new AppError(
    "keep_quota_exceeded",
    `The account keeps ${megabytes(usedBytes)} of ${megabytes(quotaBytes)} MB${mode === "test" ? " of test keys" : ""}, and this needs ${megabytes(requiredBytes)} MB more. Stop keeping jobs that are not needed, such as the largest in details, with DELETE /v1/jobs/{id}/keep, or delete characters and locations.`,
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
export async function assertQuota(sql: Sql, quota: KeepQuota, moreBytes: number): Promise<void> {
  if (moreBytes <= 0) return;
  const quotaBytes = quotaOf(quota.mode, quota.quotaBytes);
  const usedBytes = await readKeptUsage(sql, quota);
  if (usedBytes + moreBytes <= quotaBytes) return;
  throw await quotaExceeded(sql, { ...quota, quotaBytes }, { usedBytes, requiredBytes: moreBytes });
}

/**
 * Refuses to keep more when the quota is used up already. What is kept is counted when its size is known.
 *
 * @throws AppError `keep_quota_exceeded`.
 */
export async function assertRoomToKeep(sql: Sql, quota: KeepQuota): Promise<void> {
  const quotaBytes = quotaOf(quota.mode, quota.quotaBytes);
  const usedBytes = await readKeptUsage(sql, quota);
  if (usedBytes < quotaBytes) return;
  throw await quotaExceeded(sql, { ...quota, quotaBytes }, { usedBytes, requiredBytes: 0 });
}
