import type { Sql } from "@atelier/database";

/** An attempt at a render, which is part of the key of its dossier. */
interface RenderAttempt {
  readonly renderId: string;
  readonly attempt: number;
}

/**
 * Records that renders have no dossier any more, before it is deleted.
 *
 * @returns those of the renders that this database knows.
 */
export async function forgetDossiers(
  sql: Sql,
  renderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await sql.query<{ id: string }>(
    `WITH forgotten AS (
       UPDATE mark SET dossier_attempt = NULL
        WHERE render_id = ANY ($1) AND dossier_attempt IS NOT NULL
     )
     SELECT id FROM render WHERE id = ANY ($1)`,
    [renderIds],
  );
  return new Set(known.map(({ id }) => id));
}

/** The last attempt at each render. */
export function listAttempts(sql: Sql, renderIds: readonly string[]): Promise<RenderAttempt[]> {
  return sql.query<RenderAttempt>(
    `SELECT id AS "renderId", attempt FROM render WHERE id = ANY ($1) AND attempt > 0`,
    [renderIds],
  );
}

/** @returns the attempt that stored the dossier of an image; null without one. */
export async function findDossierAttempt(sql: Sql, renderId: string): Promise<number | null> {
  const [found] = await sql.query<{ attempt: number | null }>(
    "SELECT dossier_attempt AS attempt FROM mark WHERE render_id = $1",
    [renderId],
  );
  return found?.attempt ?? null;
}
