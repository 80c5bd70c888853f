import type { Database, Sql } from "@atelier/database";
import type { Operation } from "@atelier/schemas";
import { fillBatchModes } from "../batches/batches.ts";
import { exactTerms, searchedText } from "../accept/search-terms.ts";
import { storedRenders, storedResult } from "../jobs/result.ts";

/**
 * Work on existing rows that a new version needs. A migration would block the service while it runs, so
 * workers do it in the background, in batches that survive a crash. Each backfill runs once; its rows
 * may have been completed before. `audit --repair` runs it again, for rows that an older version wrote
 * during the rollout.
 */
export interface Backfill {
  /** Stored in the table `backfill`: never change it. */
  readonly name: string;
  /** The table that it reads in the order of its ids. */
  readonly table: "batch" | "generation";
  /**
   * Completes the next rows, in the transaction that stores the progress.
   *
   * @param after the id of the last row of the batch before; null in the first one.
   */
  readonly runBatch: (sql: Sql, after: string | null, limit: number) => Promise<BackfillBatch>;
}

interface BackfillBatch {
  /** Rows that it looked at. */
  readonly rows: number;
  /** Rows that it changed. */
  readonly changed: number;
  /** Id of the last row; null at the end of the table. */
  readonly next: string | null;
}

/** All backfills, in the order in which they run. A version removes those that it no longer needs. */
export const backfills: readonly Backfill[] = [
  { name: "20261124_search", table: "generation", runBatch: fillSearch },
  { name: "20261129_batch_modes", table: "batch", runBatch: fillBatchModes },
];

/** Repairs that `audit --repair` runs over all rows. */
export const repairs: readonly Backfill[] = [
  ...backfills,
  { name: "results", table: "generation", runBatch: removeWrongResults },
];

/** The progress of a backfill. */
export interface BackfillProgress {
  readonly name: string;
  readonly rowsDone: number;
  /** Estimated when it started. */
  readonly rowsTotal: number;
  /** Null before the first batch. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

const batchSize = 500;

/**
 * Runs one batch of the first unfinished backfill that no other process is working on.
 *
 * @returns the progress; null if there is nothing to do now.
 */
export function runBackfillBatch(
  database: Database,
  { all = backfills, limit = batchSize }: { all?: readonly Backfill[]; limit?: number } = {},
): Promise<BackfillProgress | null> {
  return database.transaction(async (sql) => {
    for (const { name, table } of all) {
      await sql.query(
        `INSERT INTO backfill (name, rows_total)
         SELECT $1, greatest(reltuples, 0) FROM pg_class WHERE oid = $2::regclass
         ON CONFLICT DO NOTHING`,
        [name, table],
      );
    }
    const [claimed] = await sql.query<{ name: string; after: string | null }>(
      `SELECT name, after FROM backfill WHERE finished_at IS NULL AND name = ANY ($1)
        ORDER BY name LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [all.map(({ name }) => name)],
    );
    const backfill = all.find(({ name }) => name === claimed?.name);
    if (claimed === undefined || backfill === undefined) return null;
    const { rows, next } = await backfill.runBatch(sql, claimed.after, limit);
    const [progress] = await sql.query<StoredProgress>(
      `UPDATE backfill SET after = coalesce($2, after), rows_done = rows_done + $3,
              finished_at = CASE WHEN $2::uuid IS NULL THEN now() END
        WHERE name = $1 RETURNING ${progressColumns}`,
      [claimed.name, next, rows],
    );
    return progress === undefined ? null : toProgress(progress);
  });
}

/** The progress of all backfills of this version. */
export async function readBackfills(sql: Sql): Promise<readonly BackfillProgress[]> {
  const rows = await sql.query<StoredProgress>(`SELECT ${progressColumns} FROM backfill`);
  return backfills.map(({ name }) => {
    const stored = rows.find((row) => row.name === name);
    if (stored !== undefined) return toProgress(stored);
    return { name, rowsDone: 0, rowsTotal: 0, startedAt: null, finishedAt: null };
  });
}

/**
 * Runs a backfill over all rows again, whether it has finished or not, without changing its progress.
 *
 * @returns the number of rows that were incomplete.
 */
export async function repeatBackfill(database: Database, backfill: Backfill): Promise<number> {
  let changed = 0;
  let after: string | null = null;
  do {
    const batch: BackfillBatch = await database.transaction((sql) =>
      backfill.runBatch(sql, after, batchSize),
    );
    changed += batch.changed;
    after = batch.next;
  } while (after !== null);
  return changed;
}

const progressColumns = `name, rows_done AS "rowsDone", rows_total AS "rowsTotal",
  started_at AS "startedAt", finished_at AS "finishedAt"`;

interface StoredProgress {
  readonly name: string;
  readonly rowsDone: bigint;
  readonly rowsTotal: bigint;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

function toProgress(row: StoredProgress): BackfillProgress {
  const rowsDone = Number(row.rowsDone);
  // The estimate may be too low.
  return { ...row, rowsDone, rowsTotal: Math.max(Number(row.rowsTotal), rowsDone) };
}

interface StoredGeneration {
  readonly id: string;
  readonly accountId: string;
  readonly operation: Operation;
  readonly model: string;
  readonly title: string | null;
  readonly request: object;
  readonly metadata: Readonly<Record<string, string>>;
  readonly isSearchable: boolean;
}

/** Adds the search terms of generations that an older version accepted during a rollout. */
async function fillSearch(sql: Sql, after: string | null, limit: number): Promise<BackfillBatch> {
  const page = await sql.query<StoredGeneration>(
    `SELECT generation.id, generation.account_id AS "accountId", operation, model, coalesce(note.title, generation.title) AS title, request, metadata,
            redacted_at IS NOT NULL OR search.is_there IS NOT NULL AS "isSearchable"
       FROM (SELECT * FROM generation
              WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $2) AS generation
       -- By key for each: as a plain join, each batch could read the whole table.
       LEFT JOIN LATERAL (
         SELECT true AS is_there FROM generation_search AS search
          WHERE search.account_id = generation.account_id AND search.generation_id = generation.id LIMIT 1) AS search
         ON true
       LEFT JOIN job_note AS note
         ON note.account_id = generation.account_id AND note.generation_id = generation.id
      ORDER BY generation.id`,
    [after, limit],
  );
  const missing = page.filter(({ isSearchable }) => !isSearchable);
  if (missing.length > 0) {
    await sql.query(
      `INSERT INTO generation_search (account_id, generation_id, terms)
       SELECT generation.account_id, generation.id,
              to_tsvector('simple', found.text) || array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(found.terms)))
         FROM jsonb_to_recordset($1::jsonb) AS found (id uuid, text text, terms jsonb)
         JOIN generation ON generation.id = found.id AND redacted_at IS NULL
          -- A redaction that runs meanwhile would leave the terms behind.
          FOR NO KEY UPDATE OF generation
       ON CONFLICT DO NOTHING`,
      [
        JSON.stringify(
          missing.map((generation) => ({
            id: generation.id,
            text: searchedText(generation),
            terms: exactTerms(generation),
          })),
        ),
      ],
    );
  }
  const next = page.length < limit ? null : (page.at(-1)?.id ?? null);
  return { rows: page.length, changed: missing.length, next };
}

/** Removes the results of a page of generations that differ from their rows, as `audit` reports them. */
async function removeWrongResults(
  sql: Sql,
  after: string | null,
  limit: number,
): Promise<BackfillBatch> {
  const page = await sql.query<{ id: string; hasResult: boolean }>(
    `SELECT id, result IS NOT NULL AS "hasResult" FROM generation
      WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $2`,
    [after, limit],
  );
  const ids = page.flatMap(({ id, hasResult }) => (hasResult ? [id] : []));
  // Locked first, so that the next statement sees what others committed before.
  await sql.query("SELECT FROM generation WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE", [
    ids,
  ]);
  const removed = await sql.query(
    `UPDATE generation SET result = NULL
      WHERE id = ANY ($1) AND (marks <> 0 OR result IS DISTINCT FROM (
              SELECT ${storedResult} FROM (${storedRenders} WHERE generation_id = generation.id) AS made)
            OR EXISTS (SELECT FROM job_note AS note
                        WHERE note.account_id = generation.account_id AND note.generation_id = generation.id)
            OR EXISTS (SELECT FROM kept_item AS item WHERE item.id = generation.id))
     RETURNING id`,
    [ids],
  );
  const next = page.length < limit ? null : (page.at(-1)?.id ?? null);
  return { rows: page.length, changed: removed.length, next };
}
