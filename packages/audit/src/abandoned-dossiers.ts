import type { Sql } from "@atelier/database";
import { dossierKey, readDossierKey } from "@atelier/schemas";

/**
 * Finds dossiers that the sweep of abandoned dossiers has passed and should have deleted. Those of renders
 * whose dossier is no longer registered are left out: their retention or their erasure deletes them. So are
 * those whose deletion the sweep repeats.
 */
export async function findAbandonedDossiers(
  sql: Sql,
  keys: readonly string[],
): Promise<readonly string[]> {
  const listed = keys.flatMap((key) => readDossierKey(key) ?? []);
  const abandoned = await sql.query<{ renderId: string; attempt: number }>(
    `SELECT listed."renderId", listed.attempt
       FROM jsonb_to_recordset($1::jsonb) AS listed ("renderId" uuid, attempt int)
       JOIN sweep_progress ON name = 'abandoned_dossiers' AND listed."renderId" <= after
       JOIN render ON render.id = listed."renderId"
       LEFT JOIN mark ON mark.render_id = render.id
      WHERE (render.status <> 'done' OR dossier_attempt <> listed.attempt)
        AND NOT EXISTS (
          SELECT FROM undeleted_dossier AS undeleted
           WHERE undeleted.render_id = render.id AND undeleted.attempt = listed.attempt)`,
    [JSON.stringify(listed)],
  );
  return abandoned.map(dossierKey);
}
