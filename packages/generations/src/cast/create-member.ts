import { lockRights, type Caller } from "@atelier/accounts";
import { newId, statement, type Database, type Sql } from "@atelier/database";
import {
  isKeptKey,
  isReceivedKey,
  keptKey,
  keptUploadKey,
  renderIdOf,
  uploadIdOf,
  type ImageFormat,
  type MemberKind,
} from "@atelier/schemas";
import { referenceGone, uuid } from "../accept.ts";
import { reserveFiles, type FileToKeep } from "../kept/reserve.ts";
import { assertFewMembers, findMemberOfKey, type EarlierMember } from "./member.ts";

/** A character or location that is to be kept. */
interface NewMember {
  readonly id: string;
  readonly kind: MemberKind;
  readonly name: string;
  readonly description: string;
  /** The normal one first. */
  readonly looks: readonly {
    readonly state: string | null;
    readonly description: string;
    /** The stored image. */
    readonly key: string;
    /** Where the request names it. */
    readonly path: string;
  }[];
  readonly storyJobId: string | null;
  readonly quotaBytes: number;
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
}

/**
 * Keeps a character or location until it is deleted: counts its images towards the quota, and protects
 * them until a worker has copied them. Can be repeated with the same id.
 *
 * @returns the character or location of an earlier request with the same idempotency key; null if it is
 *   created.
 * @throws AppError `keep_quota_exceeded`, `reference_unreachable` for an image that has been deleted, or the
 *   reason why the caller lost its rights.
 */
export function createMember(
  database: Database,
  caller: Caller,
  member: NewMember,
): Promise<EarlierMember | null> {
  const { id, idempotency, looks, quotaBytes } = member;
  const { accountId, keyId, mode } = caller;
  return database.transaction(async (sql) => {
    // The lock of the account serialises requests with one idempotency key.
    await lockRights(sql, caller, "generate");
    const stored = await sql.query("SELECT FROM cast_member WHERE id = $1", [id]);
    if (stored.length > 0) return null;
    const earlier = idempotency && (await findMemberOfKey(sql, { accountId, ...idempotency }));
    if (earlier !== null) return earlier;
    await assertFewMembers(sql, accountId);
    const files = await lockFiles(sql, looks);
    await reserveFiles(sql, {
      itemId: id,
      accountId,
      kind: member.kind,
      files,
      quotaBytes,
    });
    if (idempotency !== null) {
      await sql.query(
        "UPDATE cast_member SET idempotency_key = NULL WHERE account_id = $1 AND idempotency_key = $2",
        [accountId, idempotency.key],
      );
    }
    await sql.query(
      ...insert.bind({
        id,
        accountId,
        keyId,
        mode,
        kind: member.kind,
        name: member.name,
        description: member.description,
        looks: JSON.stringify(
          looks.map(({ state, description }, index) => ({
            state,
            description,
            storageKey: files[index]?.storageKey,
          })),
        ),
        storyJobId: member.storyJobId,
        idempotencyKey: idempotency?.key ?? null,
        requestHash: idempotency?.requestHash ?? null,
      }),
    );
    return null;
  });

  /** Locks the images, so that no retention marks them as deleted until the commit. */
  async function lockFiles(sql: Sql, images: NewMember["looks"]): Promise<FileToKeep[]> {
    const found = await lockStored(
      sql,
      images.map(({ key }) => key),
    );
    return images.map(({ key, path }) => {
      const source = found.get(key);
      if (source === undefined) throw referenceGone().at(path);
      const { format } = source;
      const storageKey = isReceivedKey(key)
        ? keptUploadKey(id, newId(), format)
        : keptKey(id, newId(), format);
      return { ...source, renderId: null, sourceKey: key, storageKey };
    });
  }
}

/** A stored image, as it is recorded. */
interface StoredImage {
  readonly format: ImageFormat;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
}

/** Locks those of the images, uploads and kept files that are not deleted, and returns them by their keys. */
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
        WHERE storage_key = ANY ($1::text[]) AND deleted_at IS NULL AND source_key IS NULL
        ORDER BY storage_key FOR SHARE`,
      [kept],
    ),
  ].flat();
  return new Map(rows.map(({ key, ...image }) => [key, image]));
}

const insert = statement(
  [
    "id",
    "accountId",
    "keyId",
    "mode",
    "kind",
    "name",
    "description",
    "looks",
    "storyJobId",
    "idempotencyKey",
    "requestHash",
  ],
  `INSERT INTO cast_member (id, account_id, key_id, mode, kind, name, description, looks, story_job_id,
                            idempotency_key, request_hash)
   VALUES (:id, :accountId, :keyId, :mode, :kind, :name, :description, :looks::jsonb, :storyJobId,
           :idempotencyKey, :requestHash)`,
);
