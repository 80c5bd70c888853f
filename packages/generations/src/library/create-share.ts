import type { Caller } from "@atelier/accounts";
import { newId, statement, type Database } from "@atelier/database";
import { jobNotFinal } from "../retention/retain.ts";
import { isFinal } from "../jobs/find.ts";
import { keepLocked, lockGeneration, lockToKeep, noImages } from "./keep-job.ts";
import { lockToChange } from "./lock-to-change.ts";
import { findShared } from "./shared-page.ts";
import type { Shares, StoredShare } from "./shares.ts";

/** The images that a share is to show, and for how long. */
interface NewShare {
  readonly generationId: string;
  /** Which of the images or scenes of the job, from 0; null for all. */
  readonly image: number | null;
  readonly days: number;
  /** Whether the images are kept, too. */
  readonly keeps: boolean;
  /** The hash of its token. */
  readonly hash: Buffer;
}

/**
 * Shares images of a completed job of the caller's mode, and keeps them if that is requested. The quota of test
 * keys is 0.
 *
 * @param options.quotaBytes the quota of kept bytes.
 * @throws AppError `job_not_found`, `job_not_final`, `file_not_found` without the images, `too_many_items`,
 *   `keep_quota_exceeded`, or the reason why the caller lost its rights.
 */
export function createShare(
  database: Database,
  caller: Caller,
  { generationId, image, days, keeps, hash }: NewShare,
  options: {
    readonly shares: Shares;
    readonly retentionMs: number;
    readonly quotaBytes: number;
  },
): Promise<StoredShare> {
  const { shares, retentionMs, quotaBytes } = options;
  const id = newId();
  return database.transaction(async (sql) => {
    const wanted = { accountId: caller.accountId, mode: caller.mode };
    const { status } = await lockGeneration(sql, wanted, generationId);
    const toKeep = keeps ? await lockToKeep(sql, { generationId, status }) : null;
    const { accountId, keyId, mode } = await lockToChange(sql, caller);
    if (!isFinal({ status })) throw jobNotFinal(status);
    if (status !== "completed") throw noImages("shared");
    const owner = { accountId, mode };
    // The transaction was committed, and its response lost.
    const existing = await shares.find(sql, { ...owner, id });
    if (existing !== null) return existing;
    await shares.assertRoom(sql, owner);
    if (toKeep !== null) await keepLocked(sql, toKeep, { ...owner, quotaBytes });
    await sql.query(
      ...insert.bind({ id, accountId, keyId, mode, generationId, image, hash, days }),
    );
    const created = await shares.find(sql, { ...owner, id });
    const shown = await findShared(sql, { hash, retentionMs });
    if (created === null || shown === null) throw noImages("shared");
    return created;
  });
}

const insert = statement(
  ["id", "accountId", "keyId", "mode", "generationId", "image", "hash", "days"],
  `INSERT INTO share (id, account_id, key_id, mode, generation_id, image, hash, expires_at)
   VALUES (:id, :accountId, :keyId, :mode::key_mode, :generationId, :image::smallint, :hash,
           now() + :days::int * interval '1 day')`,
);
