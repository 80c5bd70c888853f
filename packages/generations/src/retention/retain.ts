import type { Database, Sql } from "@atelier/database";
import { AppError, type JobStatus, type StoredFormat } from "@atelier/schemas";
import { jobNotFound } from "../endings/cancel.ts";
import { isFinal } from "../jobs/find.ts";
import { lockKeptFiles, releaseItem } from "../library/release-item.ts";

/** A stored file to delete. */
export interface ExpiredImage {
  readonly renderId: string;
  readonly format: StoredFormat;
  readonly storageKey: string;
}

/**
 * Marks the images of jobs as deleted, oldest first, when the job has been final for longer than
 * `retentionMs`. From then on they have no URLs, and `acceptGeneration` refuses them as references. The images
 * of a job are marked together, so that a job that is kept meanwhile is kept with all of its formats. Never
 * marks images of an unfinished job, or of one with a reference of an unfinished job, however old they are.
 *
 * @param options.limit images whose jobs are looked at.
 * @returns the number of marked images; call again until it is 0.
 */
export function markExpiredImages(
  database: Database,
  options: { readonly retentionMs: number; readonly limit: number },
): Promise<number> {
  return database.transaction(async (sql) => {
    const due = await sql.query<{ id: string }>(
      `SELECT DISTINCT id FROM (
         SELECT generation.id FROM image
           JOIN render ON render.id = render_id
           JOIN generation ON generation.id = generation_id
          WHERE deleted_at IS NULL AND image.created_at < now() - $1 * interval '1 ms'
            AND generation.completed_at < now() - $1 * interval '1 ms'
            AND NOT ${hasReference("generation.id")}
          ORDER BY image.created_at LIMIT $2) AS oldest`,
      [options.retentionMs, options.limit],
    );
    return markJobs(
      sql,
      due.map(({ id }) => id),
    );
  });
}

/**
 * Marks all images of jobs as deleted. A job is left to the next sweep when a request in progress has locked it
 * or one of its images, or uses one as a reference.
 *
 * @returns the number of marked images.
 */
export async function markJobs(sql: Sql, generationIds: readonly string[]): Promise<number> {
  const jobs = await sql.query<{ id: string }>(
    `SELECT id FROM generation WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    [generationIds],
  );
  const ids = jobs.map(({ id }) => id);
  const locked = await sql.query<{ id: string; images: number }>(
    `SELECT id, count(*)::int AS images FROM (
       SELECT generation_id AS id FROM image JOIN render ON render.id = render_id
        WHERE generation_id = ANY ($1) AND deleted_at IS NULL
        ORDER BY storage_key FOR UPDATE OF image SKIP LOCKED) AS locked
      GROUP BY id`,
    [ids],
  );
  // After the locks, so that it sees every job that was accepted with one of them.
  const marked = await sql.query(
    `UPDATE image SET deleted_at = now()
       FROM unnest($1::uuid[], $2::int[]) AS job (id, images), render
      WHERE generation_id = job.id AND render.id = render_id AND deleted_at IS NULL
        AND job.images = (SELECT count(*) FROM image AS all_images JOIN render AS all_renders ON all_renders.id = render_id
                           WHERE generation_id = job.id AND deleted_at IS NULL)
        AND NOT ${hasReference("job.id")}
     RETURNING image.format`,
    [locked.map(({ id }) => id), locked.map(({ images }) => images)],
  );
  return marked.length;
}

type ImageId = Pick<ExpiredImage, "renderId" | "format">;

/**
 * SQL of a list of images in `imageArrays`. Postgres knows the lengths of arrays; of JSON it expects a hundred rows,
 * and would rather read the whole table.
 */
const listedImages = "unnest($1::uuid[], $2::image_format[]) AS listed (render_id, format)";

function imageArrays(images: readonly ImageId[]) {
  return [images.map(({ renderId }) => renderId), images.map(({ format }) => format)];
}

/**
 * Marks images as deleted that this transaction has locked before, so that this statement sees every
 * job that was accepted with one of them.
 */
async function markLocked(sql: Sql, locked: readonly ImageId[]): Promise<number> {
  if (locked.length === 0) return 0;
  const marked = await sql.query(
    `UPDATE image SET deleted_at = now()
       FROM ${listedImages}
      WHERE image.render_id = listed.render_id AND image.format = listed.format
        AND deleted_at IS NULL AND NOT ${isReference}
     RETURNING image.format`,
    imageArrays(locked),
  );
  return marked.length;
}

/**
 * SQL condition on a row of a stored file: an unfinished render uses it as a reference, or it is to be
 * copied to where it is kept.
 */
export const isReference = `(storage_key IN (
  SELECT reference->'source'->>'key'
    FROM render AS unfinished, jsonb_array_elements(unfinished.spec->'references') AS reference
   WHERE unfinished.finished_at IS NULL AND reference->'source'->>'kind' = 'stored')
  OR storage_key IN (
    SELECT source_key FROM kept_file AS copied
     WHERE copied.source_key IS NOT NULL AND copied.deleted_at IS NULL))`;

/** SQL condition: a job has an image that is a reference. */
function hasReference(id: string): string {
  return `EXISTS (
    SELECT FROM render AS made JOIN image AS made_image ON made_image.render_id = made.id
     WHERE made.generation_id = ${id} AND made_image.deleted_at IS NULL AND ${isReference})`;
}

/**
 * Marks all images of renders as deleted, however young they are, except references of unfinished jobs.
 *
 * @returns the images whose files are to be removed, and the number that are still in use.
 */
export function expireImages(
  database: Database,
  renderIds: readonly string[],
): Promise<{ readonly toRemove: readonly ExpiredImage[]; readonly inUse: number }> {
  return database.transaction(async (sql) => {
    // The trigger of a deleted image changes its job.
    await sql.query(
      `SELECT FROM generation WHERE id IN (SELECT generation_id FROM render WHERE id = ANY ($1))
        ORDER BY id FOR NO KEY UPDATE`,
      [renderIds],
    );
    const locked = await sql.query<ImageId>(
      `SELECT render_id AS "renderId", format FROM image
        WHERE render_id = ANY ($1) AND deleted_at IS NULL ORDER BY storage_key FOR UPDATE`,
      [renderIds],
    );
    const marked = await markLocked(sql, locked);
    const toRemove = await sql.query<ExpiredImage>(
      `SELECT render_id AS "renderId", format, storage_key AS "storageKey" FROM image
        WHERE render_id = ANY ($1) AND deleted_at IS NOT NULL AND removed_at IS NULL`,
      [renderIds],
    );
    return { toRemove, inUse: locked.length - marked };
  });
}

/**
 * Finds images that are marked as deleted and whose files still exist, in the order of their keys.
 *
 * @param options.after the last key of the previous page; "" for the first.
 */
export function findImagesToRemove(
  sql: Sql,
  options: { readonly after: string; readonly limit: number },
): Promise<ExpiredImage[]> {
  return sql.query(
    `SELECT render_id AS "renderId", format, storage_key AS "storageKey"
       FROM image
      WHERE deleted_at IS NOT NULL AND removed_at IS NULL AND storage_key COLLATE "C" > $1
      ORDER BY storage_key COLLATE "C" LIMIT $2`,
    [options.after, options.limit],
  );
}

/** Records that the files of images are deleted. Their hashes stay, for provenance. */
export async function markImagesRemoved(sql: Sql, images: readonly ExpiredImage[]): Promise<void> {
  if (images.length === 0) return;
  await sql.query(
    `UPDATE image SET removed_at = now()
       FROM ${listedImages}
      WHERE image.render_id = listed.render_id AND image.format = listed.format AND removed_at IS NULL`,
    imageArrays(images),
  );
}

/** Stored state of a render that has files in the storage. */
export interface RenderFiles {
  readonly renderId: string;
  /** Whether the generation is not final: any of its files may still be needed. */
  readonly isInProgress: boolean;
  /** Files of its images that still exist. */
  readonly storageKeys: readonly string[];
}

/** Describes those of the renders that this database knows. */
export function describeRenderFiles(
  sql: Sql,
  renderIds: readonly string[],
): Promise<RenderFiles[]> {
  return sql.query(
    `SELECT render.id AS "renderId", generation.status IN ('pending', 'processing') AS "isInProgress",
            ARRAY(SELECT storage_key FROM image
                   WHERE render_id = render.id AND removed_at IS NULL) AS "storageKeys"
       FROM render JOIN generation ON generation.id = generation_id
      WHERE render.id = ANY ($1)`,
    [renderIds],
  );
}

/**
 * Marks all images of a final generation as deleted, before their retention is over and although they are
 * kept. Fails as a whole when an unfinished generation of the account uses one of them, or a character,
 * location or another job is to keep one that is not copied yet.
 *
 * @returns the files to remove; those of images that were marked earlier are not among them.
 * @throws AppError `job_not_found`, `job_not_final` or `images_in_use`.
 */
export function deleteImages(
  database: Database,
  target: { readonly accountId: string; readonly generationId: string },
): Promise<ExpiredImage[]> {
  const { accountId, generationId } = target;
  return database.transaction(async (sql) => {
    const [generation] = await sql.query<{ status: JobStatus }>(
      "SELECT status FROM generation WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
      [generationId, accountId],
    );
    if (generation === undefined) throw jobNotFound();
    if (!isFinal(generation)) throw jobNotFinal(generation.status);
    await sql.query("SELECT FROM kept_item WHERE id = $1 FOR UPDATE", [generationId]);
    // Locks first, so that the next statement sees every job that was accepted with one of them.
    const images = await sql.query<{ storageKey: string }>(
      `SELECT storage_key AS "storageKey" FROM image JOIN render ON render.id = render_id
        WHERE generation_id = $1 AND deleted_at IS NULL ORDER BY storage_key FOR UPDATE OF image`,
      [generationId],
    );
    const kept = await lockKeptFiles(sql, generationId);
    const keys = [...images.map(({ storageKey }) => storageKey), ...kept];
    const used = await sql.query(
      `SELECT FROM generation JOIN render ON generation_id = generation.id,
              jsonb_array_elements(spec->'references') AS reference
        WHERE account_id = $1 AND generation.status IN ('pending', 'processing')
          AND finished_at IS NULL AND reference->'source'->>'key' = ANY ($2) LIMIT 1`,
      [accountId, keys],
    );
    if (used.length > 0) throw imagesInUse();
    const copied = await sql.query(
      `SELECT FROM kept_file
        WHERE account_id = $1 AND source_key = ANY ($2) AND deleted_at IS NULL AND item_id <> $3 LIMIT 1`,
      [accountId, keys, generationId],
    );
    if (copied.length > 0) throw imagesBeingCopied();
    await releaseItem(sql, generationId);
    await sql.query("DELETE FROM share WHERE generation_id = $1", [generationId]);
    return sql.query<ExpiredImage>(
      `UPDATE image SET deleted_at = now()
         FROM render
        WHERE render.id = render_id AND generation_id = $1 AND deleted_at IS NULL
       RETURNING render_id AS "renderId", format, storage_key AS "storageKey"`,
      [generationId],
    );
  });
}

/** The error for a job whose images are not there yet. */
export function jobNotFinal(status: JobStatus): AppError {
  return new AppError(
    "job_not_final",
    `This job is ${status}. Wait until it is completed, or cancel it.`,
    { details: { status } },
  );
}

function imagesInUse(): AppError {
  return new AppError(
    "images_in_use",
    "An unfinished job uses an image of this job as a reference. Wait until it is done, or cancel it.",
  );
}

function imagesBeingCopied(): AppError {
  return new AppError(
    "images_in_use",
    "A character or location is about to keep an image of this job. Wait until its status is kept.",
  );
}
