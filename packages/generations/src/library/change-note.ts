import { lockRights, type Caller } from "@atelier/accounts";
import type { Database, Sql } from "@atelier/database";
import {
  AppError,
  quotas,
  type ChangeJobRequest,
  type JobStatus,
  type KeyMode,
} from "@atelier/schemas";
import { jobNotFound } from "../endings/cancel.ts";
import type { Owner } from "../jobs/find.ts";
import { exactTermPattern, searchedText } from "../accept/search-terms.ts";
import { keepIfRoom, lockToKeep } from "./keep-job.ts";
import { tooManyItems } from "./too-many-items.ts";

interface NoteTarget {
  readonly owner: Owner;
  readonly generationId: string;
  /** The quota of kept bytes, for accounts that keep the jobs they star. */
  readonly quotaBytes: number;
}

/** State of a locked job that decides which changes of its note are allowed. */
interface NotedJob {
  readonly mode: KeyMode;
  readonly isRedacted: boolean;
  readonly title: string | null;
  readonly starred: boolean;
  readonly hasBook: boolean;
  readonly status: JobStatus;
  /** Whether the account keeps what it stars. */
  readonly keepsStarred: boolean;
}

/**
 * Changes what an account noted on a job: its title, a star and a book. Omitted properties stay unchanged.
 * Searches find a changed title instead of the earlier one. Can be repeated. A star keeps the images of the job if
 * the account says so; without room in its quota, they are marked as refused.
 *
 * @throws AppError `job_not_found`, `job_redacted` for a text of a job whose texts were removed,
 *   `too_many_items`, or the reason why the caller lost its rights.
 */
export function changeNote(
  database: Database,
  caller: Caller,
  { owner, generationId, quotaBytes }: NoteTarget,
  { title, starred, book }: ChangeJobRequest,
): Promise<void> {
  return database.transaction(async (sql) => {
    const job = await lockJob(sql, owner, generationId);
    if (title !== undefined) await lockTerms(sql, owner, generationId);
    const isStarred = starred === true && !job.starred;
    const toKeep =
      isStarred && job.keepsStarred
        ? await lockToKeep(sql, { generationId, status: job.status })
        : null;
    // The lock of the account makes the counts exact.
    const { accountId } = await lockRights(sql, caller, "generate");
    if (job.isRedacted && (title != null || book != null)) throw jobRedacted();
    if (isStarred) await assertFew(sql, { accountId, mode: job.mode }, "starred");
    if (book != null && !job.hasBook) await assertFew(sql, { accountId, mode: job.mode }, "book");
    await sql.query(
      `INSERT INTO job_note (account_id, generation_id, title, starred, book) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, generation_id) DO UPDATE
         SET title = excluded.title, starred = excluded.starred,
             book = CASE WHEN $6::boolean THEN excluded.book ELSE job_note.book END`,
      [
        accountId,
        generationId,
        title === undefined ? job.title : title,
        starred ?? job.starred,
        book == null ? null : JSON.stringify(book),
        book !== undefined,
      ],
    );
    await sql.query(
      `DELETE FROM job_note WHERE account_id = $1 AND generation_id = $2
          AND title IS NULL AND NOT starred AND book IS NULL`,
      [accountId, generationId],
    );
    if (title !== undefined && title !== job.title) {
      await indexTitle(sql, { accountId, generationId, title });
    }
    if (toKeep !== null) await keepIfRoom(sql, toKeep, { accountId, mode: job.mode, quotaBytes });
  });
}

/** Locks the job before the account, as packages/database/lock-order.md says. */
async function lockJob(sql: Sql, owner: Owner, generationId: string): Promise<NotedJob> {
  const [job] = await sql.query<Pick<NotedJob, "isRedacted" | "mode" | "status" | "keepsStarred">>(
    `SELECT redacted_at IS NOT NULL AS "isRedacted", mode, status,
            (SELECT keep_starred FROM account WHERE id = account_id) AS "keepsStarred"
       FROM generation
      WHERE id = $1 AND account_id = $2 AND ($3::uuid IS NULL OR key_id = $3)
        AND ($4::key_mode IS NULL OR mode = $4) FOR NO KEY UPDATE`,
    [generationId, owner.accountId, owner.keyId ?? null, owner.mode ?? null],
  );
  if (job === undefined) throw jobNotFound();
  const [note] = await sql.query<Pick<NotedJob, "title" | "starred" | "hasBook">>(
    `SELECT title, starred, book IS NOT NULL AS "hasBook" FROM job_note
      WHERE account_id = $1 AND generation_id = $2`,
    [owner.accountId, generationId],
  );
  return { ...job, ...(note ?? { title: null, starred: false, hasBook: false }) };
}

/** Locks the search terms of a job, also before the account. */
async function lockTerms(sql: Sql, { accountId }: Owner, generationId: string): Promise<void> {
  await sql.query(
    "SELECT FROM generation_search WHERE account_id = $1 AND generation_id = $2 FOR NO KEY UPDATE",
    [accountId, generationId],
  );
}

/** Changes the words that searches find a job by to those of a title instead of the earlier one; its exact terms, and those of its source, stay. */
async function indexTitle(
  sql: Sql,
  target: {
    readonly accountId: string;
    readonly generationId: string;
    /** Null for the title that the job was made with. */
    readonly title: string | null;
  },
): Promise<void> {
  const [made] = await sql.query<{ title: string | null; request: object }>(
    "SELECT title, request FROM generation WHERE id = $1",
    [target.generationId],
  );
  if (made === undefined) return;
  const title = target.title ?? made.title;
  await sql.query(
    `UPDATE generation_search
        SET terms = to_tsvector('simple', $3) || ts_filter(terms, '{c}') || array_to_tsvector(ARRAY(
              SELECT lexeme FROM unnest(terms) WHERE lexeme ~ $4))
      WHERE account_id = $1 AND generation_id = $2`,
    [
      target.accountId,
      target.generationId,
      searchedText({ title, request: made.request }),
      exactTermPattern,
    ],
  );
}

const limits = {
  starred: { condition: "starred", quota: quotas.starred },
  book: { condition: "book IS NOT NULL", quota: quotas.books },
} as const;

/** @throws AppError `too_many_items` when the account has as many jobs of a mode as it may. */
async function assertFew(
  sql: Sql,
  { accountId, mode }: { readonly accountId: string; readonly mode: KeyMode },
  limit: keyof typeof limits,
): Promise<void> {
  const { condition, quota } = limits[limit];
  const [counted] = await sql.query<{ items: number }>(
    `SELECT count(*)::int AS items FROM job_note WHERE account_id = $1 AND ${condition}`,
    [accountId],
  );
  if ((counted?.items ?? 0) < quota[mode]) return;
  const [ofMode] = await sql.query<{ items: number }>(
    `SELECT count(*)::int AS items FROM job_note LEFT JOIN generation ON generation.id = generation_id
      WHERE job_note.account_id = $1 AND ${condition} AND coalesce(mode, 'live') = $2`,
    [accountId, mode],
  );
  if ((ofMode?.items ?? 0) < quota[mode]) return;
  throw tooManyItems(mode, quota, "Remove some with PATCH /v1/jobs/{id}.");
}

function jobRedacted(): AppError {
  return new AppError(
    "job_redacted",
    "The texts of this job were removed, so it takes no title and no book. Generate it again.",
  );
}
