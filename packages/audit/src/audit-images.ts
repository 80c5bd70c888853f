import { createHash } from "node:crypto";
import type { Sql } from "@atelier/database";
import { filePrefixes } from "@atelier/schemas";
import { maxExamples, type Finding } from "./audit-database.ts";

/** What the audit reads of a storage. */
export interface AuditedStorage {
  /** The objects whose key begins so, in the order of their keys. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly sizeBytes: number }>;
  get(key: string): Promise<{ readonly bytes: Uint8Array } | null>;
}

interface RecordedImage {
  readonly renderId: string;
  readonly key: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Holds the storage to what is recorded of every image that is still kept: it is there, has its size,
 * and, as far as it is read, its hash. Rows and objects are walked side by side in the order of their
 * keys: memory does not grow with their number.
 *
 * @param hashShare the part of the images that are read and hashed, 0 to 1, spread evenly by chance.
 */
export async function auditImages(
  sql: Sql,
  storage: AuditedStorage,
  hashShare: number,
): Promise<Finding> {
  const examples: object[] = [];
  let checked = 0;
  let violations = 0;
  const objects = storage.list(filePrefixes.renders)[Symbol.asyncIterator]();
  let object = await objects.next();
  for await (const image of keptImages(sql)) {
    checked++;
    while (object.done !== true && object.value.key < image.key) object = await objects.next();
    const sizeBytes =
      object.done !== true && object.value.key === image.key ? object.value.sizeBytes : null;
    const found = await describe(image, sizeBytes, storage, Math.random() < hashShare);
    // Retention may have deleted it since its row was read.
    if (found === null || !(await isKept(sql, image))) continue;
    violations++;
    if (examples.length < maxExamples) examples.push({ image: image.key, ...found });
  }
  await objects.return?.();
  return {
    invariant: "Every image that is kept exists in storage and is what is recorded.",
    checked,
    violations,
    examples,
  };
}

/** What is wrong with a stored image; null for nothing. */
async function describe(
  recorded: RecordedImage,
  sizeBytes: number | null,
  storage: AuditedStorage,
  hashed: boolean,
): Promise<object | null> {
  if (sizeBytes !== null && sizeBytes !== recorded.sizeBytes) return { sizeBytes };
  if (sizeBytes !== null && !hashed) return null;
  // Written after the listing came by, it may be there all the same.
  const stored = await storage.get(recorded.key);
  if (stored === null) return { missing: true };
  const sha256 = createHash("sha256").update(stored.bytes).digest("hex");
  return sha256 === recorded.sha256 ? null : { sha256 };
}

const pageSize = 3_000;

/** All images that are not deleted, in the order of their keys, which begin with the render's id. */
async function* keptImages(sql: Sql): AsyncGenerator<RecordedImage> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const [end] = await sql.query<{ renderId: string }>(
      `SELECT render_id AS "renderId" FROM image WHERE render_id > $1
        ORDER BY render_id OFFSET ${pageSize} LIMIT 1`,
      [after],
    );
    yield* await sql.query<RecordedImage>(
      `SELECT render_id AS "renderId", storage_key AS key, sha256, size_bytes AS "sizeBytes"
         FROM image
        WHERE deleted_at IS NULL AND render_id > $1 AND ($2::uuid IS NULL OR render_id <= $2)
        ORDER BY storage_key COLLATE "C"`,
      [after, end?.renderId ?? null],
    );
    if (end === undefined) return;
    after = end.renderId;
  }
}

async function isKept(sql: Sql, { renderId, key }: RecordedImage): Promise<boolean> {
  const rows = await sql.query(
    "SELECT 1 FROM image WHERE render_id = $1 AND storage_key = $2 AND deleted_at IS NULL",
    [renderId, key],
  );
  return rows.length > 0;
}
