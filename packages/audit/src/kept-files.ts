import type { Sql } from "@atelier/database";

/** A file that must exist in storage. */
export interface RecordedFile {
  readonly key: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Whether it still must exist. */
  isKept(): Promise<boolean>;
}

interface Row {
  readonly key: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

const pageSize = 3_000;

const firstId = "00000000-0000-0000-0000-000000000000";

/** All images that are not deleted, in key order; keys start with the render's id. */
export async function* keptImages(sql: Sql): AsyncGenerator<RecordedFile> {
  let after = firstId;
  for (;;) {
    const [end] = await sql.query<{ renderId: string }>(
      `SELECT render_id AS "renderId" FROM image WHERE render_id > $1
        ORDER BY render_id OFFSET ${pageSize} LIMIT 1`,
      [after],
    );
    const images = await sql.query<Row & { renderId: string }>(
      `SELECT render_id AS "renderId", storage_key AS key, sha256, size_bytes AS "sizeBytes"
         FROM image
        WHERE deleted_at IS NULL AND render_id > $1 AND ($2::uuid IS NULL OR render_id <= $2)
        ORDER BY storage_key COLLATE "C"`,
      [after, end?.renderId ?? null],
    );
    for (const { renderId, ...image } of images) {
      const isKept = () =>
        exists(
          sql,
          "SELECT 1 FROM image WHERE render_id = $1 AND storage_key = $2 AND deleted_at IS NULL",
          [renderId, image.key],
        );
      yield { ...image, isKept };
    }
    if (end === undefined) return;
    after = end.renderId;
  }
}

/** All uploads that are stored and not deleted, in key order; keys start with the upload's id. */
export async function* keptUploads(sql: Sql): AsyncGenerator<RecordedFile> {
  let after = firstId;
  for (;;) {
    const uploads = await sql.query<Row & { id: string }>(
      `SELECT id, storage_key AS key, sha256, size_bytes AS "sizeBytes" FROM upload
        WHERE storage_key IS NOT NULL AND deleted_at IS NULL AND id > $1
        ORDER BY id LIMIT ${pageSize}`,
      [after],
    );
    for (const { id, ...upload } of uploads) {
      const isKept = () =>
        exists(sql, "SELECT 1 FROM upload WHERE id = $1 AND deleted_at IS NULL", [id]);
      yield { ...upload, isKept };
    }
    const last = uploads.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function exists(sql: Sql, text: string, values: readonly unknown[]): Promise<boolean> {
  return (await sql.query(text, values)).length > 0;
}
