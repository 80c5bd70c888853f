import { newId, type Sql } from "@atelier/database";
import {
  isKeptKey,
  isReceivedKey,
  keptKey,
  keptUploadKey,
  renderIdOf,
  uploadIdOf,
  type ReceivedFormat,
} from "@atelier/schemas";
import { referenceGone, uuid } from "../accept/references.ts";
import type { FileToKeep } from "../library/reserve.ts";

/** A stored image that is to be kept, and where the request names it. */
interface NamedImage {
  readonly key: string;
  readonly path: string;
}

/**
 * Locks images that are to be kept for a character or location, so that no retention marks them as deleted
 * until the commit.
 *
 * @throws AppError `reference_unreachable` for an image that has been deleted.
 */
export async function lockFiles(
  sql: Sql,
  memberId: string,
  images: readonly NamedImage[],
): Promise<FileToKeep[]> {
  const found = await lockStored(
    sql,
    images.map(({ key }) => key),
  );
  return images.map(({ key, path }) => {
    const source = found.get(key);
    if (source === undefined) throw referenceGone().at(path);
    const { format } = source;
    const storageKey = isReceivedKey(key)
      ? keptUploadKey(memberId, newId(), format)
      : keptKey(memberId, newId(), format);
    return { ...source, renderId: null, sourceKey: key, storageKey };
  });
}

/** A stored image, as it is recorded. */
interface StoredImage {
  readonly format: ReceivedFormat;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Locks those of the images, uploads and kept files that are not deleted, and returns them by their keys. A
 * kept file that another is still copied from is there, too: it was moved.
 */
async function lockStored(
  sql: Sql,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredImage>> {
  const columns = `storage_key AS key, format, sha256, size_bytes AS "sizeBytes", width, height`;
  const uploads = keys.map(uploadIdOf).filter((id) => id !== null);
  const kept = keys.filter(isKeptKey);
  const images = keys.filter(
    (key) => uploadIdOf(key) === null && !isKeptKey(key) && uuid.test(renderIdOf(key)),
  );
  // Locks the copies, so that no worker removes their sources until the commit.
  const moved = await sql.query<{ key: string }>(
    `SELECT source_key AS key FROM kept_file
      WHERE source_key = ANY ($1::text[]) AND deleted_at IS NULL ORDER BY storage_key FOR SHARE`,
    [kept],
  );
  const rows = [
    await sql.query<StoredImage & { readonly key: string }>(
      `SELECT ${columns} FROM image
        WHERE render_id = ANY ($1::uuid[]) AND storage_key = ANY ($2::text[]) AND deleted_at IS NULL
        ORDER BY storage_key FOR SHARE`,
      [images.map(renderIdOf), images],
    ),
    await sql.query<StoredImage & { readonly key: string }>(
      `SELECT ${columns} FROM upload
        WHERE id = ANY ($1::uuid[]) AND storage_key IS NOT NULL AND deleted_at IS NULL
          AND expires_at > now() AND unusable_at IS NULL ORDER BY id FOR SHARE`,
      [uploads],
    ),
    await sql.query<StoredImage & { readonly key: string }>(
      `SELECT ${columns} FROM kept_file
        WHERE storage_key = ANY ($1::text[]) AND source_key IS NULL
          AND (deleted_at IS NULL OR storage_key = ANY ($2::text[]))
        ORDER BY storage_key FOR SHARE`,
      [kept, moved.map(({ key }) => key)],
    ),
  ].flat();
  return new Map(rows.map(({ key, ...image }) => [key, image]));
}
