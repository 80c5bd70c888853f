import type { Sql } from "@atelier/database";
import type { ImageFormat } from "@atelier/schemas";

/** A stored file that is to be removed. */
export interface ExpiredImage {
  readonly renderId: string;
  readonly format: ImageFormat;
  readonly storageKey: string;
}

/**
 * Images whose time is over, oldest first: their generation has been final for longer than that. What
 * belongs to a generation under way, or is a reference of one, is never among them, however old it is:
 * a job that was accepted with it has to find it.
 */
export function findExpiredImages(
  sql: Sql,
  options: { readonly retentionMs: number; readonly limit: number },
): Promise<ExpiredImage[]> {
  return sql.query(
    `WITH needed AS MATERIALIZED (
       SELECT reference->'source'->>'key' AS key
         FROM render, jsonb_array_elements(spec->'references') AS reference
        WHERE finished_at IS NULL AND reference->'source'->>'kind' = 'stored'
     )
     SELECT render_id AS "renderId", format, storage_key AS "storageKey"
       FROM image
       JOIN render ON render.id = render_id
       JOIN generation ON generation.id = generation_id
      WHERE deleted_at IS NULL AND image.created_at < now() - $1 * interval '1 ms'
        AND generation.completed_at < now() - $1 * interval '1 ms'
        AND NOT EXISTS (SELECT 1 FROM needed WHERE key = storage_key)
      ORDER BY image.created_at LIMIT $2`,
    [options.retentionMs, options.limit],
  );
}

/** Writes down that files are gone. Their hashes stay, for provenance. */
export async function markImagesDeleted(sql: Sql, images: readonly ExpiredImage[]): Promise<void> {
  await sql.query(
    `UPDATE image SET deleted_at = now()
       FROM jsonb_to_recordset($1::jsonb) AS gone ("renderId" uuid, format image_format)
      WHERE render_id = gone."renderId" AND image.format = gone.format AND deleted_at IS NULL`,
    [JSON.stringify(images)],
  );
}

/** What the rows say of a render that has files in the storage. */
export interface RenderFiles {
  readonly renderId: string;
  /** Its generation is not final: any file may still be needed. */
  readonly underWay: boolean;
  /** The files that are recorded as its images and not deleted. */
  readonly storageKeys: readonly string[];
}

/** Those of the renders that this database knows. */
export function describeRenderFiles(
  sql: Sql,
  renderIds: readonly string[],
): Promise<RenderFiles[]> {
  return sql.query(
    `SELECT render.id AS "renderId", generation.status IN ('pending', 'processing') AS "underWay",
            ARRAY(SELECT storage_key FROM image
                   WHERE render_id = render.id AND deleted_at IS NULL) AS "storageKeys"
       FROM render JOIN generation ON generation.id = generation_id
      WHERE render.id = ANY ($1)`,
    [renderIds],
  );
}
