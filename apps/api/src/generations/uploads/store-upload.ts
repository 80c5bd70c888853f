import { lockRights, type Caller } from "@atelier/accounts";
import type { Owner } from "@atelier/generations/jobs";
import {
  completeUpload,
  deleteUploads,
  forgetUploads,
  reserveUpload,
  takeUploadsToRemove,
  type Upload,
} from "@atelier/generations/uploads";
import { probeImage } from "@atelier/guarded-fetch";
import { detectReceivedFormat } from "@atelier/kit";
import { maxPhotographPixels, maxUploadPixels, uploadKey } from "@atelier/schemas";
import { hash } from "node:crypto";
import type { Needs } from "../../dependencies.ts";
import { notAnImage } from "../../http/body/receive-upload.ts";

export type StoreDependencies = Needs<
  "accountGate" | "config" | "database" | "failpoint" | "storage"
>;

/** An upload that is about to be received. */
interface NewUpload {
  readonly id: string;
  readonly caller: Caller;
  /** The largest size that it may have. */
  readonly sizeBytes: number;
}

/**
 * Reserves the quota for an upload, before anything of it is received.
 *
 * @throws AppError `upload_quota_exceeded`.
 */
export function reserveUploadQuota(
  { id, caller, sizeBytes }: NewUpload,
  { config, database, accountGate }: Needs<"config" | "database" | "accountGate">,
): Promise<void> {
  const { accountId, keyId, mode } = caller;
  const quotaBytes = config.UPLOAD_QUOTA_MB * 1_000_000;
  const upload = { id, accountId, keyId, mode, sizeBytes, quotaBytes };
  return accountGate.run(accountId, () => reserveUpload(database, upload));
}

/**
 * Stores a reserved upload. Its bytes are hashed and their header is read; a worker decodes them when a
 * job uses the upload. The rights of the caller are checked again, because the bytes may have arrived
 * long after its request was authenticated.
 *
 * @param upload.sha256 of the bytes, if it is known.
 * @param upload.path where the request has the image, for errors.
 * @returns null when the sweep has removed the upload in the meantime.
 * @throws AppError `upload_invalid`, `unauthorized`, `account_suspended` or `key_not_permitted`.
 * @throws UploadKeyTakenError when another upload has the idempotency key.
 */
export async function storeUpload(
  {
    id,
    caller,
    bytes,
    sha256 = hash("sha256", bytes),
    path = "",
    idempotencyKey = null,
  }: Pick<NewUpload, "id" | "caller"> & {
    readonly bytes: Buffer;
    readonly sha256?: string;
    readonly path?: string;
    readonly idempotencyKey?: string | null;
  },
  { config, database, accountGate, storage, failpoint }: StoreDependencies,
): Promise<Upload | null> {
  const facts = { ...readImage(bytes, path), sha256 };
  const storageKey = uploadKey(id, facts.format);
  await storage.put(storageKey, bytes, { contentType: `image/${facts.format}` });
  failpoint("after-upload");
  const retentionMs = config.UPLOAD_RETENTION_HOURS * 3_600_000;
  const upload = { id, storageKey, ...facts, retentionMs, idempotencyKey };
  const completed = await accountGate.run(caller.accountId, () =>
    database.transaction(async (sql) => {
      await lockRights(sql, caller, "generate");
      return completeUpload(sql, upload);
    }),
  );
  // The sweep may have deleted the file before it was stored.
  if (completed === null) await storage.delete([storageKey]);
  return completed;
}

function readImage(
  bytes: Buffer,
  path: string,
): Omit<
  Parameters<typeof completeUpload>[1],
  "id" | "storageKey" | "sha256" | "retentionMs" | "idempotencyKey"
> {
  const header = probeImage(bytes, maxUploadPixels, maxPhotographPixels);
  const format = detectReceivedFormat(bytes);
  if ("refused" in header || format === null) {
    throw notAnImage(bytes, path, "refused" in header ? header.refused : undefined);
  }
  const { width, height } = header;
  return { format, width, height, sizeBytes: bytes.byteLength };
}

/**
 * Deletes an upload of any state with its file, unless an unfinished job uses it. What cannot be removed
 * now is left to the sweep.
 *
 * @returns whether there was one.
 */
export async function removeUpload(
  target: Owner & { readonly id: string },
  { database, storage, logger }: Needs<"database" | "logger" | "storage">,
): Promise<boolean> {
  const { id } = target;
  if ((await deleteUploads(database, target)) === 0) return false;
  try {
    const { uploads: taken } = await takeUploadsToRemove(database, { id, limit: 1 });
    const failures = await storage.delete(taken.flatMap(({ keys }) => keys));
    if (failures.length === 0) {
      await forgetUploads(
        database,
        taken.map((upload) => upload.id),
      );
    }
  } catch (error) {
    logger.warn({ err: error, uploadId: id }, "deleted upload remains, left to the sweep");
  }
  return true;
}
