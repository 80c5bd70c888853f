import type { Sql } from "@atelier/database";
import { readDossierKey } from "@atelier/schemas";
import type { RenderAttempt } from "./dossiers.ts";

/**
 * Stores that dossiers without a record could not be deleted, so that a sweep repeats it.
 *
 * @param keys of files that could not be deleted; those of other files are ignored.
 */
export async function rememberUndeleted(sql: Sql, keys: Iterable<string>): Promise<void> {
  const dossiers = Array.from(keys).flatMap((key) => readDossierKey(key) ?? []);
  if (dossiers.length === 0) return;
  await sql.query(
    `INSERT INTO undeleted_dossier (render_id, attempt)
     SELECT DISTINCT "renderId", attempt
       FROM jsonb_to_recordset($1::jsonb) AS failed ("renderId" uuid, attempt int)
     ON CONFLICT (render_id, attempt) DO UPDATE SET tried_at = now()`,
    [JSON.stringify(dossiers)],
  );
}

/**
 * Lists dossiers whose deletion is to be repeated: those that were tried the longest ago, so that a dossier that
 * is never deleted does not keep the others from being tried.
 */
export function listUndeleted(sql: Sql, limit: number): Promise<RenderAttempt[]> {
  return sql.query<RenderAttempt>(
    `SELECT render_id AS "renderId", attempt FROM undeleted_dossier
      ORDER BY tried_at, render_id, attempt LIMIT $1`,
    [limit],
  );
}

/** Removes dossiers that are deleted from those whose deletion is to be repeated. */
export async function forgetUndeleted(sql: Sql, dossiers: readonly RenderAttempt[]): Promise<void> {
  if (dossiers.length === 0) return;
  await sql.query(
    `DELETE FROM undeleted_dossier
      USING jsonb_to_recordset($1::jsonb) AS gone ("renderId" uuid, attempt int)
      WHERE render_id = gone."renderId" AND undeleted_dossier.attempt = gone.attempt`,
    [JSON.stringify(dossiers)],
  );
}
