import type { Sql } from "@atelier/database";
import { dossierKey } from "@atelier/schemas";

/** A file that must exist in storage. */
export interface RecordedFile {
  readonly key: string;
  /** Null when it is not recorded: then the file only has to exist. */
  readonly content: { readonly sha256: string; readonly sizeBytes: number } | null;
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
      yield { key: image.key, content: image, isKept };
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
      yield { key: upload.key, content: upload, isKept };
    }
    const last = uploads.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** All files that accounts keep until they delete them and that are copied, in key order. */
export async function* keptCopies(sql: Sql): AsyncGenerator<RecordedFile> {
  let after = "";
  for (;;) {
    const files = await sql.query<Row>(
      `SELECT storage_key AS key, sha256, size_bytes AS "sizeBytes" FROM kept_file
        WHERE source_key IS NULL AND deleted_at IS NULL AND storage_key COLLATE "C" > $1
        ORDER BY storage_key COLLATE "C" LIMIT ${pageSize}`,
      [after],
    );
    for (const file of files) {
      const isKept = () =>
        exists(sql, "SELECT 1 FROM kept_file WHERE storage_key = $1 AND deleted_at IS NULL", [
          file.key,
        ]);
      yield { key: file.key, content: file, isKept };
    }
    const last = files.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}

/** The dossiers of all images that have one, in key order; keys start with the render's id. */
export async function* keptDossiers(sql: Sql): AsyncGenerator<RecordedFile> {
  let after = firstId;
  for (;;) {
    const dossiers = await sql.query<{ renderId: string; attempt: number }>(
      `SELECT render_id AS "renderId", dossier_attempt AS attempt FROM mark
        WHERE dossier_attempt IS NOT NULL AND render_id > $1
        ORDER BY render_id LIMIT ${pageSize}`,
      [after],
    );
    for (const dossier of dossiers) {
      const isKept = () =>
        exists(sql, "SELECT 1 FROM mark WHERE render_id = $1 AND dossier_attempt = $2", [
          dossier.renderId,
          dossier.attempt,
        ]);
      yield { key: dossierKey(dossier), content: null, isKept };
    }
    const last = dossiers.at(-1);
    if (last === undefined) return;
    after = last.renderId;
  }
}

/** All files of the archive, in key order. */
export async function* archiveFiles(sql: Sql): AsyncGenerator<RecordedFile> {
  const files = await sql.query<Row>(
    `SELECT storage_key AS key, sha256, size_bytes AS "sizeBytes" FROM archive_part
      WHERE storage_key IS NOT NULL ORDER BY storage_key COLLATE "C"`,
    [],
  );
  for (const file of files) {
    const isKept = () =>
      exists(sql, "SELECT 1 FROM archive_part WHERE storage_key = $1", [file.key]);
    yield { key: file.key, content: file, isKept };
  }
}

async function exists(sql: Sql, text: string, values: readonly unknown[]): Promise<boolean> {
  return (await sql.query(text, values)).length > 0;
}
