import { statement, type Database, type Sql } from "@atelier/database";
import { changesOf, ownTerms } from "../accept/search-terms.ts";

/**
 * Redaction removes what a client wrote from final generations: request, prompts, metadata, title,
 * search terms, also of the jobs that changed its images, the texts of errors, and the title and book that the account noted. Status, model, times, money and the hashes of images stay.
 */

/** The last generation of a page, in the order of their ends. */
export interface RedactionCursor {
  /** As Postgres writes it, in microseconds. */
  readonly completedAt: string;
  readonly id: string;
}

/**
 * Redacts those generations of a page that have no kept images. A page has the final generations that
 * ended longer ago than `olderThanMs`, oldest first.
 *
 * @param options.after cursor of the previous page; null for the first.
 * @param options.limit generations of a page.
 * @returns the number of redacted and of skipped generations, and the cursor of the next page; null on the
 *   last one.
 */
export function redactOldGenerations(
  database: Database,
  options: {
    readonly olderThanMs: number;
    readonly after: RedactionCursor | null;
    readonly limit: number;
  },
): Promise<{
  readonly redacted: number;
  /** Others were locked; a later pass must read them again. */
  readonly skipped: number;
  readonly next: RedactionCursor | null;
}> {
  const { olderThanMs, after, limit } = options;
  return database.transaction(async (sql) => {
    const page = await sql.query<RedactionCursor & { hasImages: boolean }>(
      ...oldGenerations.bind({
        olderThanMs,
        afterTime: after?.completedAt ?? "-infinity",
        afterId: after?.id ?? "00000000-0000-0000-0000-000000000000",
        limit,
      }),
    );
    const ids = page.filter(({ hasImages }) => !hasImages).map(({ id }) => id);
    const free = await sql.query<{ id: string }>(
      "SELECT id FROM generation WHERE id = ANY ($1) FOR NO KEY UPDATE SKIP LOCKED",
      [ids],
    );
    const redacted = await redact(
      sql,
      free.map(({ id }) => id),
    );
    const last = page.at(-1);
    const next = last === undefined || page.length < limit ? null : last;
    return { redacted, skipped: ids.length - free.length, next };
  });
}

/** The point up to which a process has redacted: later passes read only what has become due since then. */
export interface RedactionMark {
  /** Generations that ended before, as Postgres writes it. */
  readonly endedBefore: string;
  /** When the pass began, as Postgres writes it. */
  readonly startedAt: string;
}

/** Longer than any transaction that ends a generation or deletes an image. */
const longestTransaction = "2 minutes";

/** The mark that a pass leaves which begins now. */
export async function markRedaction(sql: Sql, olderThanMs: number): Promise<RedactionMark> {
  const [mark] = await sql.query<RedactionMark>(
    `SELECT (now() - interval '${longestTransaction}')::text AS "startedAt",
            (now() - $1::float8 * interval '1 ms' - interval '${longestTransaction}')::text AS "endedBefore"`,
    [olderThanMs],
  );
  if (mark === undefined) throw new Error("no time of the database");
  return mark;
}

/**
 * Redacts final generations that ended longer ago than `olderThanMs` and whose last image was deleted at or
 * after a point in time.
 *
 * @returns the number of redacted generations; call again until it is 0.
 */
export function redactAfterDeletion(
  database: Database,
  options: { readonly olderThanMs: number; readonly deletedSince: string; readonly limit: number },
): Promise<number> {
  return database.transaction(async (sql) => {
    const free = await sql.query<{ id: string }>(...withDeletedImages.bind(options));
    return redact(
      sql,
      free.map(({ id }) => id),
    );
  });
}

/** SQL condition: the images of a job are kept until they are deleted. */
function isKept(id: string): string {
  return `EXISTS (SELECT FROM kept_item WHERE kept_item.id = ${id} AND status <> 'refused')`;
}

const withDeletedImages = statement(
  ["olderThanMs", "deletedSince", "limit"],
  `SELECT id FROM generation
    WHERE id IN (SELECT generation_id FROM image JOIN render ON render.id = render_id
                  WHERE deleted_at >= :deletedSince::timestamptz
                 UNION SELECT item_id FROM kept_file WHERE deleted_at >= :deletedSince::timestamptz)
      AND completed_at < now() - :olderThanMs::float8 * interval '1 ms' AND redacted_at IS NULL
      AND NOT EXISTS (SELECT FROM render JOIN image ON render_id = render.id
                       WHERE generation_id = generation.id AND deleted_at IS NULL)
      AND NOT ${isKept("generation.id")}
    ORDER BY id LIMIT :limit FOR NO KEY UPDATE`,
);

const oldGenerations = statement(
  ["olderThanMs", "afterTime", "afterId", "limit"],
  `SELECT id, completed_at::text AS "completedAt",
          EXISTS (SELECT FROM render JOIN image ON render_id = render.id
                   WHERE generation_id = page.id AND deleted_at IS NULL) OR ${isKept("page.id")} AS "hasImages"
     FROM (SELECT id, completed_at FROM generation
            WHERE completed_at < now() - :olderThanMs::float8 * interval '1 ms'
              AND redacted_at IS NULL AND completed_at >= :afterTime::timestamptz
              AND (completed_at, id) > (:afterTime::timestamptz, :afterId::uuid)
            ORDER BY completed_at, id LIMIT :limit) AS page
    ORDER BY page.completed_at, id`,
);

/** The sweep removes staged files of jobs that ended longer ago. */
const stagedFor = "2 days";

/** A page of an account's final generations. */
interface AccountPage {
  readonly generationIds: readonly string[];
  readonly renderIds: readonly string[];
  /** Those of jobs that ended lately, which may have staged files. */
  readonly recentRenderIds: readonly string[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** Lists a page of an account's final generations, in the order of their ids, also of redacted ones. */
export async function listAccountPage(
  sql: Sql,
  page: { readonly accountId: string; readonly after: string | null; readonly limit: number },
): Promise<AccountPage> {
  const rows = await sql.query<{ id: string }>(...finalGenerations.bind(page));
  const generationIds = rows.map(({ id }) => id);
  const renders = await sql.query<{ id: string; recent: boolean }>(
    `SELECT render.id, completed_at > now() - interval '${stagedFor}' AS recent
       FROM render JOIN generation ON generation.id = generation_id
      WHERE generation_id = ANY ($1)`,
    [generationIds],
  );
  return {
    generationIds,
    renderIds: renders.map(({ id }) => id),
    recentRenderIds: renders.filter(({ recent }) => recent).map(({ id }) => id),
    next: rows.length < page.limit ? null : (generationIds.at(-1) ?? null),
  };
}

/**
 * Redacts final generations, whether they have kept images or not. An erasure does this last: a generation with
 * texts shows the audit, the archive and the next erasure that its files may not be removed.
 */
export async function redactJobs(
  database: Database,
  generationIds: readonly string[],
): Promise<void> {
  await database.transaction((sql) => redact(sql, generationIds));
}

const finalGenerations = statement(
  ["accountId", "after", "limit"],
  `SELECT oldest.id
     FROM unnest(enum_range(NULL::generation_kind)) AS of_kind (kind),
          unnest('{completed,failed,cancelled}'::generation_status[]) AS of_status (status),
          LATERAL (
            SELECT id FROM generation
             WHERE account_id = :accountId AND generation.kind = of_kind.kind
               AND generation.status = ANY (ARRAY[of_status.status])
               AND id > coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000')
             ORDER BY generation.status DESC, id LIMIT :limit
          ) AS oldest
    ORDER BY oldest.id LIMIT :limit`,
);

async function redact(sql: Sql, generationIds: readonly string[]): Promise<number> {
  const [redacted] = await Promise.all([
    sql.query(
      `UPDATE generation
          SET request = '{}', metadata = '{}', title = NULL, trace_parent = NULL, answer_hash = NULL,
              error = error || '{"message": "The texts of this job were removed.", "details": null}',
              redacted_at = now()
        WHERE id = ANY ($1) AND completed_at IS NOT NULL AND redacted_at IS NULL RETURNING id`,
      [generationIds],
    ),
    sql.query(
      `UPDATE render
          SET spec = jsonb_build_object('seed', spec->'seed', 'task', jsonb_build_object('kind', spec->'task'->'kind'))
                     || CASE WHEN spec ? 'output' THEN jsonb_build_object('output', spec->'output') ELSE '{}' END,
              turn = NULL, last_error = NULL
         FROM generation
        WHERE generation_id = ANY ($1) AND generation.id = generation_id
          AND generation.completed_at IS NOT NULL AND spec ? 'prompt'`,
      [generationIds],
    ),
    // The star is no text and stays.
    sql.query(
      `DELETE FROM job_note USING generation AS g
        WHERE g.id = ANY ($1) AND g.completed_at IS NOT NULL
          AND job_note.account_id = g.account_id AND generation_id = g.id AND NOT starred`,
      [generationIds],
    ),
    sql.query(
      `UPDATE job_note SET title = NULL, book = NULL FROM generation AS g
        WHERE g.id = ANY ($1) AND g.completed_at IS NOT NULL
          AND job_note.account_id = g.account_id AND generation_id = g.id
          AND (job_note.title IS NOT NULL OR book IS NOT NULL)`,
      [generationIds],
    ),
    sql.query(
      `UPDATE provider_call SET request_id = NULL FROM render JOIN generation ON generation.id = generation_id
        WHERE generation_id = ANY ($1) AND render_id = render.id AND generation.completed_at IS NOT NULL
          AND request_id IS NOT NULL`,
      [generationIds],
    ),
  ]);
  await removeWords(sql, generationIds);
  return redacted.length;
}

/**
 * Removes the search terms of generations, and their words from those of the jobs that changed their images. All
 * are locked before, in the order of their ids, so that two redactions do not wait for each other.
 */
async function removeWords(sql: Sql, generationIds: readonly string[]): Promise<void> {
  const changes = changesOf(generationIds);
  await sql.query(
    `SELECT FROM generation_search
      WHERE (account_id, generation_id) IN (
        SELECT account_id, generation_id FROM generation_search WHERE terms @@ $1::tsquery
         UNION SELECT account_id, id FROM generation WHERE id = ANY ($2) AND completed_at IS NOT NULL)
      ORDER BY generation_id FOR UPDATE`,
    [changes, generationIds],
  );
  // A job that was accepted before the locks has the words too, and one that was accepted from that one meanwhile.
  for (let changed = 1; changed > 0;) {
    const rows = await sql.query(
      `UPDATE generation_search SET terms = ${ownTerms} WHERE terms @@ $1::tsquery RETURNING generation_id`,
      [changes],
    );
    changed = rows.length;
  }
  await sql.query(
    `DELETE FROM generation_search USING generation AS g
      WHERE g.id = ANY ($1) AND g.completed_at IS NOT NULL
        AND generation_search.account_id = g.account_id AND generation_id = g.id`,
    [generationIds],
  );
}
