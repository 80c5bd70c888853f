import { lockRights, type Caller } from "@atelier/accounts";
import { newId, type Database, type Sql } from "@atelier/database";
import { AppError, keptKey, type JobStatus, type KeyMode, type MemberKind } from "@atelier/schemas";
import { lockDrawnLooks } from "../cast/drawn-looks.ts";
import { jobNotFound } from "../endings/cancel.ts";
import { isFinal, type Owner } from "../jobs/find.ts";
import { notifyKeeping } from "./keeping-channel.ts";
import { lockKeptFiles, releaseItem } from "./release-item.ts";
import { assertRoomToKeep, reserveFiles, type FileToKeep, type KeepQuota } from "./reserve.ts";

interface KeepTarget {
  readonly owner: Owner;
  readonly generationId: string;
  readonly quotaBytes: number;
}

type KeptStatus = "requested" | "copying" | "kept" | "refused";

/**
 * Keeps the images of a job until `releaseJob`: a worker copies them. Those of an unfinished job are kept
 * when it is completed, if the quota has room for them then. Can be repeated.
 *
 * @throws AppError `job_not_found`, `file_not_found` for a final job without images, `keep_quota_exceeded`,
 *   or the reason why the caller lost its rights.
 */
export function keepJob(
  database: Database,
  caller: Caller,
  { owner, generationId, quotaBytes }: KeepTarget,
): Promise<void> {
  return database.transaction(async (sql) => {
    const { mode, status } = await lockGeneration(sql, owner, generationId);
    const locked = await lockToKeep(sql, { generationId, status });
    const { accountId } = await lockRights(sql, caller, "generate");
    await keepLocked(sql, locked, { accountId, mode, quotaBytes });
  });
}

/** The files of a job that can be kept, under its lock. */
export interface LockedToKeep {
  readonly generationId: string;
  readonly isFinal: boolean;
  readonly isKept: boolean;
  readonly files: readonly FileToKeep[];
}

/** Locks the item and the images of a locked job, in the order of packages/database/lock-order.md. */
export async function lockToKeep(
  sql: Sql,
  { generationId, status }: { readonly generationId: string; readonly status: JobStatus },
): Promise<LockedToKeep> {
  const keep = await lockItem(sql, generationId);
  const isKept = keep === "copying" || keep === "kept";
  const isDone = isFinal({ status });
  const files = isKept || !isDone ? [] : await lockImages(sql, generationId);
  return { generationId, isFinal: isDone, isKept, files };
}

/**
 * Keeps a job whose account is locked after `lockToKeep`.
 *
 * @throws AppError `file_not_found` for a final job without images, or `keep_quota_exceeded`.
 */
export async function keepLocked(sql: Sql, job: LockedToKeep, quota: KeepQuota): Promise<void> {
  if (job.isKept) return;
  if (!job.isFinal) {
    await assertRoomToKeep(sql, quota);
    await sql.query(
      `INSERT INTO kept_item (id, account_id, kind, status) VALUES ($1, $2, 'job', 'requested')
       ON CONFLICT (id) DO UPDATE SET status = 'requested' WHERE kept_item.status = 'refused'
       RETURNING ${notifyKeeping}`,
      [job.generationId, quota.accountId],
    );
    return;
  }
  if (job.files.length === 0) throw noImages();
  await reserveFiles(sql, { ...quota, itemId: job.generationId, kind: "job", files: job.files });
}

/** Keeps a job as `keepLocked` does, or marks it as refused. A final job without images stays as it is. */
export async function keepIfRoom(sql: Sql, job: LockedToKeep, quota: KeepQuota): Promise<void> {
  if (job.isFinal && job.files.length === 0) return;
  try {
    await keepLocked(sql, job, quota);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await sql.query(
      `INSERT INTO kept_item (id, account_id, kind, status) VALUES ($1, $2, 'job', 'refused')
       ON CONFLICT (id) DO NOTHING`,
      [job.generationId, quota.accountId],
    );
  }
}

async function lockItem(sql: Sql, generationId: string): Promise<KeptStatus | null> {
  const [item] = await sql.query<{ status: KeptStatus }>(
    "SELECT status FROM kept_item WHERE id = $1 FOR UPDATE",
    [generationId],
  );
  return item?.status ?? null;
}

/**
 * Locks a job of an owner.
 *
 * @throws AppError `job_not_found`.
 */
export async function lockGeneration(
  sql: Sql,
  owner: Owner,
  generationId: string,
): Promise<{ readonly status: JobStatus; readonly mode: KeyMode }> {
  const [generation] = await sql.query<{ status: JobStatus; mode: KeyMode }>(
    `SELECT status, mode FROM generation
      WHERE id = $1 AND account_id = $2 AND ($3::uuid IS NULL OR key_id = $3)
        AND ($4::key_mode IS NULL OR mode = $4) FOR NO KEY UPDATE`,
    [generationId, owner.accountId, owner.keyId ?? null, owner.mode ?? null],
  );
  if (generation === undefined) throw jobNotFound();
  return generation;
}

/** Locks the images of a job that are not deleted, so that retention skips them until the commit. */
async function lockImages(sql: Sql, generationId: string): Promise<FileToKeep[]> {
  const images = await sql.query<Omit<FileToKeep, "storageKey">>(
    `SELECT render_id AS "renderId", format, storage_key AS "sourceKey", sha256,
            image.size_bytes AS "sizeBytes", width, height
       FROM image JOIN render ON render.id = render_id
      WHERE generation_id = $1 AND deleted_at IS NULL
      ORDER BY storage_key FOR SHARE OF image`,
    [generationId],
  );
  return images.map((image) => ({
    ...image,
    storageKey: keptKey(generationId, newId(), image.format),
  }));
}

/** The error for a job without images. */
export function noImages(use = "kept"): AppError {
  return new AppError(
    "file_not_found",
    `This job has no images that could be ${use}: it made none, or they have been deleted.`,
  );
}

/**
 * Stops keeping a job: its kept files are removed, and its images follow the retention of the account
 * again, which deletes those that are older at once. Unfinished jobs that use one of the files as a
 * reference finish with it. Can be repeated.
 *
 * @throws AppError `job_not_found`, or the reason why the caller lost its rights.
 */
export function releaseJob(
  database: Database,
  caller: Caller,
  { owner, generationId }: Omit<KeepTarget, "quotaBytes">,
): Promise<void> {
  return database.transaction(async (sql) => {
    await lockGeneration(sql, owner, generationId);
    await lockItem(sql, generationId);
    await lockKeptFiles(sql, generationId);
    await lockRights(sql, caller, "generate");
    await releaseItem(sql, generationId);
  });
}

/** An item whose job is final: the job itself, or the character or location that it draws. */
interface DueItem {
  readonly id: string;
  readonly accountId: string;
  readonly kind: "job" | MemberKind;
  readonly generationId: string;
}

/**
 * Keeps jobs that were completed since it was requested, and the characters and locations that jobs drew. An
 * item that the quota has no room for, or whose job failed, is marked as refused, and its images follow the
 * retention. An item that cannot be kept now stays requested, and does not keep the others from their turn.
 *
 * @param options.after the last item of the previous page; null for the first.
 * @param options.onError receives why an item stays requested.
 * @returns the number of items, at most `limit`, and the cursor of the next page; null on the last one.
 */
export async function keepRequested(
  database: Database,
  options: {
    readonly quotaBytes: number;
    readonly after: string | null;
    readonly limit: number;
    readonly onError: (error: unknown, itemId: string) => void;
  },
): Promise<{ readonly count: number; readonly next: string | null }> {
  const { quotaBytes, after, limit, onError } = options;
  const due = await database.query<DueItem>(
    `SELECT item.id, item.account_id AS "accountId", item.kind, generation.id AS "generationId"
       FROM kept_item AS item LEFT JOIN cast_member AS member ON member.id = item.id
       JOIN generation ON generation.id = coalesce(member.story_job_id, item.id)
      WHERE item.status = 'requested' AND generation.completed_at IS NOT NULL
        AND ($2::uuid IS NULL OR item.id > $2)
      ORDER BY item.id LIMIT $1`,
    [limit, after],
  );
  for (const item of due) {
    await keepNow(database, item, quotaBytes).catch((error: unknown) => onError(error, item.id));
  }
  return { count: due.length, next: due.length < limit ? null : (due.at(-1)?.id ?? null) };
}

function keepNow(
  database: Database,
  { id, accountId, kind, generationId }: DueItem,
  quotaBytes: number,
): Promise<void> {
  return database.transaction(async (sql) => {
    const job = await lockGeneration(sql, { accountId }, generationId);
    // The lock of a member comes before that of its item.
    await sql.query("SELECT FROM cast_member WHERE id = $1 FOR NO KEY UPDATE", [id]);
    const [item] = await sql.query<{ status: KeptStatus }>(
      "SELECT status FROM kept_item WHERE id = $1 FOR UPDATE",
      [id],
    );
    // It may have been released or kept since it was found.
    if (item?.status !== "requested") return;
    const isCompleted = job.status === "completed";
    const files = !isCompleted
      ? []
      : kind === "job"
        ? await lockImages(sql, generationId)
        : await lockDrawnLooks(sql, id, generationId);
    await lockKeptFiles(sql, id);
    const [account] = await sql.query(
      "SELECT FROM account WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE",
      [accountId],
    );
    if (account === undefined) return releaseItem(sql, id);
    try {
      if (files.length === 0) throw noImages();
      const quota = { accountId, mode: job.mode, quotaBytes };
      await reserveFiles(sql, { ...quota, itemId: id, kind, files });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await sql.query("UPDATE kept_item SET status = 'refused' WHERE id = $1", [id]);
    }
  });
}
