import type { Sql } from "@atelier/database";
import { AppError } from "@atelier/schemas";

/** @throws AppError `job_not_found` if the job was the account's and is archived, with what to do. */
export async function assertNotArchived(
  sql: Sql,
  { accountId, generationId }: { readonly accountId: string; readonly generationId: string },
): Promise<void> {
  const [archived] = await sql.query<{ at: Date }>(
    `SELECT detached_at AS at FROM archived_partition
      WHERE $1::uuid >= from_id AND $1 < to_id
        AND EXISTS (SELECT FROM hold WHERE generation_id = $1 AND account_id = $2)`,
    [generationId, accountId],
  );
  if (archived === undefined) return;
  throw new AppError(
    "job_not_found",
    `This job was archived at ${archived.at.toISOString()}, and its images are deleted. Ask the operator of the service for its record.`,
    { details: { archived_at: archived.at.toISOString() } },
  );
}

/** A dossier of an image whose month was archived. */
export interface ArchivedDossier {
  readonly renderId: string;
  readonly attempt: number;
}

/** Lists dossiers of an account's archived images. */
export function listArchivedDossiers(
  sql: Sql,
  accountId: string,
  limit: number,
): Promise<ArchivedDossier[]> {
  return sql.query(
    `SELECT render_id AS "renderId", attempt FROM archived_dossier WHERE account_id = $1
      ORDER BY render_id LIMIT $2`,
    [accountId, limit],
  );
}

/** Forgets dossiers of archived images that were deleted. */
export async function forgetArchivedDossiers(
  sql: Sql,
  renderIds: readonly string[],
): Promise<void> {
  await sql.query("DELETE FROM archived_dossier WHERE render_id = ANY ($1)", [renderIds]);
}
