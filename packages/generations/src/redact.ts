import { statement, type Database, type Sql } from "@atelier/database";

/**
 * Redaction removes what a client wrote from final generations: request, prompts, metadata, title,
 * search terms and the texts of errors. Status, model, times, money and the hashes of images stay.
 */

/**
 * Redacts final generations that ended longer ago than `olderThanMs` and have no kept images, oldest
 * first.
 *
 * @returns the number of redacted generations, at most `limit`.
 */
export function redactOldGenerations(
  database: Database,
  options: { readonly olderThanMs: number; readonly limit: number },
): Promise<number> {
  return database.transaction(async (sql) => {
    const old = await sql.query<{ id: string }>(
      `SELECT id FROM generation
        WHERE completed_at < now() - $1::float8 * interval '1 ms' AND redacted_at IS NULL
          AND NOT EXISTS (SELECT FROM render JOIN image ON render_id = render.id
                           WHERE generation_id = generation.id AND deleted_at IS NULL)
        ORDER BY completed_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
      [options.olderThanMs, options.limit],
    );
    return redact(
      sql,
      old.map(({ id }) => id),
    );
  });
}

/** The sweep removes staged files of jobs that ended longer ago. */
const stagedFor = "2 days";

/** A page of an account's generations that were redacted. */
interface RedactedPage {
  readonly jobs: number;
  readonly renderIds: readonly string[];
  /** Those of jobs that ended lately, which may have staged files. */
  readonly recentRenderIds: readonly string[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Redacts a page of an account's final generations, in the order of their ids, whether they have kept
 * images or not. Also returns those that were redacted before.
 */
export function redactAccountPage(
  database: Database,
  page: { readonly accountId: string; readonly after: string | null; readonly limit: number },
): Promise<RedactedPage> {
  return database.transaction(async (sql) => {
    const rows = await sql.query<{ id: string }>(...finalGenerations.bind(page));
    const generationIds = rows.map(({ id }) => id);
    await redact(sql, generationIds);
    const renders = await sql.query<{ id: string; recent: boolean }>(
      `SELECT render.id, completed_at > now() - interval '${stagedFor}' AS recent
         FROM render JOIN generation ON generation.id = generation_id
        WHERE generation_id = ANY ($1)`,
      [generationIds],
    );
    return {
      jobs: generationIds.length,
      renderIds: renders.map(({ id }) => id),
      recentRenderIds: renders.filter(({ recent }) => recent).map(({ id }) => id),
      next: rows.length < page.limit ? null : (generationIds.at(-1) ?? null),
    };
  });
}

const finalGenerations = statement(
  ["accountId", "after", "limit"],
  `SELECT oldest.id
     FROM unnest(enum_range(NULL::generation_kind)) AS of_kind (kind),
          unnest('{completed,failed,cancelled}'::generation_status[]) AS of_status (status),
          LATERAL (
            SELECT id FROM generation
             WHERE account_id = :accountId AND generation.kind = of_kind.kind
               AND generation.status = of_status.status
               AND id > coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000')
             ORDER BY id LIMIT :limit
          ) AS oldest
    ORDER BY oldest.id LIMIT :limit`,
);

async function redact(sql: Sql, generationIds: readonly string[]): Promise<number> {
  const [redacted] = await Promise.all([
    sql.query(
      `UPDATE generation
          SET request = '{}', metadata = '{}', title = NULL, trace_parent = NULL,
              error = error || '{"message": "The texts of this job were removed.", "details": null}',
              redacted_at = now()
        WHERE id = ANY ($1) AND completed_at IS NOT NULL AND redacted_at IS NULL RETURNING id`,
      [generationIds],
    ),
    sql.query(
      `UPDATE render
          SET spec = jsonb_build_object('seed', spec->'seed', 'task', jsonb_build_object('kind', spec->'task'->'kind')),
              turn = NULL, last_error = NULL
         FROM generation
        WHERE generation_id = ANY ($1) AND generation.id = generation_id
          AND generation.completed_at IS NOT NULL AND spec ? 'prompt'`,
      [generationIds],
    ),
    sql.query(
      `UPDATE provider_call SET request_id = NULL FROM render JOIN generation ON generation.id = generation_id
        WHERE generation_id = ANY ($1) AND render_id = render.id AND generation.completed_at IS NOT NULL
          AND request_id IS NOT NULL`,
      [generationIds],
    ),
    sql.query(
      `DELETE FROM generation_search USING generation AS g
        WHERE g.id = ANY ($1) AND g.completed_at IS NOT NULL
          AND generation_search.account_id = g.account_id AND generation_id = g.id`,
      [generationIds],
    ),
  ]);
  return redacted.length;
}
