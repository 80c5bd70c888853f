import { statement, type Database, type Sql } from "@atelier/database";
import {
  AppError,
  type GenerationError,
  type JobStatus,
  type KeyMode,
  type StoredFormat,
} from "@atelier/schemas";
import { idAt, lastId } from "../jobs/id-at.ts";
import { clockSkewMs, listIds, queryCanceled } from "../jobs/list.ts";
import { requestTerm } from "../accept/search-terms.ts";
import { matchesWords, wordParameters, wordValues } from "../jobs/search-words.ts";

/** How an operator names jobs of any account. */
export type JobClue =
  | { readonly by: "job"; readonly id: string }
  /** That of the image in the registry, see `Registry`. */
  | { readonly by: "render"; readonly id: string }
  /** SHA-256 of a delivered file, in lower-case hexadecimal. */
  | { readonly by: "hash"; readonly sha256: string }
  /** 16 hexadecimal digits. */
  | { readonly by: "watermark"; readonly id: string }
  /** `X-Request-Id` of the request, or the id of the batch. */
  | { readonly by: "request-id"; readonly id: string }
  | {
      readonly by: "account";
      readonly id: string;
      readonly status?: JobStatus | undefined;
      /** Times in ISO 8601. */
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      /** Only jobs before this one in the list; null for the first page. */
      readonly before: string | null;
    }
  | {
      readonly by: "time";
      readonly from: Date;
      readonly to: Date;
      /** Words of the prompt or title, the last of which may be the beginning of one. Empty for all jobs. */
      readonly text: string;
      /** Only jobs before this one in the list; null for the first page. Default: null. */
      readonly before?: string | null;
    };

/** A file of a job. */
interface FileOfJob {
  readonly renderId: string;
  /** Position of the image, from 0. */
  readonly position: number;
  readonly format: StoredFormat;
  readonly sha256: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  readonly deletedAt: string | null;
}

/** A job with its owner and its outcome, for operators. Amounts are in micro-EUR. */
export interface JobOfAccount {
  readonly id: string;
  readonly account: { readonly id: string; readonly name: string; readonly status: string };
  /** Null for jobs from before keys were recorded. */
  readonly key: { readonly id: string; readonly name: string; readonly lastFour: string } | null;
  readonly mode: KeyMode;
  readonly operation: string;
  readonly status: JobStatus;
  readonly model: string;
  readonly title: string | null;
  readonly batchId: string | null;
  readonly heldMicroEur: bigint;
  readonly chargedMicroEur: bigint;
  readonly refundedMicroEur: bigint;
  readonly error: GenerationError | null;
  /** The first refusal of moderation; null without one. */
  readonly refusal: {
    readonly moderator: string;
    readonly category: string | null;
    readonly path: string | null;
    readonly certainty: string | null;
  } | null;
  readonly files: readonly FileOfJob[];
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** A job whose rows are in the archive: what the tables still know of it. */
export interface ArchivedTrace {
  /** Null where only an image of it is known, so that its id is in one of the months. */
  readonly id: string | null;
  readonly account: { readonly id: string; readonly name: string } | null;
  readonly chargedMicroEur: bigint | null;
  readonly refundedMicroEur: bigint | null;
  /** Of the archive's parts that may have it, such as 2026-05. */
  readonly months: readonly string[];
}

/** The jobs that a clue leads to, newest first. */
export interface FoundJobs {
  readonly jobs: readonly JobOfAccount[];
  readonly archived: ArchivedTrace | null;
}

/** A search that takes longer is ended, in milliseconds. */
const searchTimeoutMs = 10_000;

/**
 * Finds jobs of all accounts, for operators: each clue reads one index. A request that was refused has no job, and
 * is in the logs only. The request id and the words of a job are removed with its texts.
 *
 * @param limit maximum number of jobs.
 * @throws AppError `overloaded` for a search for words that takes too long.
 */
export async function findJobs(
  database: Pick<Database, "query" | "transaction">,
  clue: JobClue,
  limit: number,
): Promise<FoundJobs> {
  const ids = await findIds(database, clue, limit);
  const jobs = ids.length === 0 ? [] : await database.query<JobOfAccount>(readJobs, [ids]);
  if (jobs.length > 0) return { jobs, archived: null };
  return { jobs, archived: await findArchived(database, clue) };
}

async function findIds(
  database: Pick<Database, "query" | "transaction">,
  clue: JobClue,
  limit: number,
): Promise<string[]> {
  switch (clue.by) {
    case "job":
      return [clue.id];
    case "time":
      return findByTime(database, clue, limit);
    case "account":
      return listIds(database, {
        accountId: clue.id,
        beforeId: clue.before,
        // One more than the limit is read.
        limit: limit - 1,
        status: clue.status,
        created_after: clue.from,
        created_before: clue.to,
      });
    case "request-id":
      return idsOf(database, byRequest, [requestTerm(clue.id), clue.id, limit]);
    case "render":
      return idsOf(database, byRender, [clue.id]);
    case "hash":
      return idsOf(database, byHash, [clue.sha256]);
    case "watermark":
      return idsOf(database, byWatermark, [clue.id]);
  }
}

async function idsOf(sql: Sql, text: string, values: readonly unknown[]): Promise<string[]> {
  return (await sql.query<{ id: string }>(text, values)).map(({ id }) => id);
}

const byRender = "SELECT generation_id AS id FROM render WHERE id = $1";
const byHash =
  "SELECT generation_id AS id FROM mark_file JOIN render ON render.id = render_id WHERE sha256 = $1";
const byWatermark =
  "SELECT generation_id AS id FROM mark JOIN render ON render.id = render_id WHERE watermark_id = $1";

/** Jobs of a request have a search term; those of a batch are found by its id. */
const byRequest = `
  SELECT id FROM (
    SELECT generation_id AS id FROM generation_search
     WHERE terms @@ ('''' || $1 || '''')::tsquery
    UNION
    SELECT id FROM generation
     WHERE batch_id = CASE WHEN $2::text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN $2::text::uuid END
  ) AS found ORDER BY id DESC LIMIT $3`;

async function findByTime(
  database: Pick<Database, "query" | "transaction">,
  { from, to, text, before = null }: Extract<JobClue, { by: "time" }>,
  limit: number,
): Promise<string[]> {
  const range = {
    first: idAt(from.getTime() - clockSkewMs),
    last: idAt(to.getTime() + clockSkewMs),
    from: from.toISOString(),
    to: to.toISOString(),
    before: before ?? lastId,
    limit,
  };
  if (text === "") return idsOf(database, ...byTime.bind(range));
  const values = { ...range, ...wordValues(text), terms: "" };
  try {
    return await database.transaction(async (sql) => {
      // Whether the words or the times find fewer jobs depends on their values.
      await sql.query("SET LOCAL plan_cache_mode = force_custom_plan");
      await sql.query(`SET LOCAL statement_timeout = ${searchTimeoutMs}`);
      const [newest] = await sql.query<{ ids: string[]; looked: number }>(
        ...amongNewest.bind(values),
      );
      const { ids = [], looked = 0 } = newest ?? {};
      if (ids.length >= limit || looked < maxLooked) return ids;
      return idsOf(sql, ...byWords.bind(values));
    });
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== queryCanceled) throw cause;
    throw new AppError("overloaded", "The search took too long. Narrow the range of times.", {
      cause,
    });
  }
}

const rangeParameters = ["first", "last", "from", "to", "before", "limit"] as const;

const byTime = statement(
  rangeParameters,
  `SELECT id FROM generation
    WHERE id BETWEEN :first AND :last AND id < :before
      AND created_at >= :from AND created_at < :to
    ORDER BY id DESC LIMIT :limit`,
);

/** Jobs that are looked at one after the other: when they have too few with the words, the words are rare. */
const maxLooked = 10_000;

/** The OFFSET keeps the planner from reading all search terms instead of those of these jobs. */
const amongNewest = statement(
  [...rangeParameters, ...wordParameters, "terms"],
  `WITH newest AS MATERIALIZED (
     SELECT id, account_id FROM generation
      WHERE id BETWEEN :first AND :last AND id < :before
        AND created_at >= :from AND created_at < :to
      ORDER BY id DESC LIMIT ${maxLooked}
   )
   SELECT (SELECT count(*)::int FROM newest) AS looked, ARRAY(
     SELECT newest.id FROM newest, LATERAL (
              SELECT FROM generation_search AS search
               WHERE search.account_id = newest.account_id AND search.generation_id = newest.id
                 AND ${matchesWords("search.terms")} OFFSET 0) AS matching
      ORDER BY newest.id DESC LIMIT :limit) AS ids`,
);

const byWords = statement(
  [...rangeParameters, ...wordParameters, "terms"],
  `SELECT generation.id FROM generation JOIN generation_search AS search
       ON search.account_id = generation.account_id AND search.generation_id = generation.id
    WHERE generation.id BETWEEN :first AND :last
      AND generation.id < :before
      AND generation.created_at >= :from AND generation.created_at < :to
      AND ${matchesWords("search.terms")}
    ORDER BY generation.id DESC LIMIT :limit`,
);

const readJobs = `
  SELECT g.id, g.mode, g.operation, g.status, g.model, g.title, g.batch_id AS "batchId", g.error,
         g.created_at AS "createdAt", g.completed_at AS "completedAt",
         coalesce((SELECT amount_micro_eur FROM hold WHERE generation_id = g.id), 0) AS "heldMicroEur",
         coalesce(charged_micro_eur, 0) AS "chargedMicroEur",
         (SELECT coalesce(sum(amount_micro_eur), 0)::bigint FROM refund WHERE generation_id = g.id) AS "refundedMicroEur",
         (SELECT json_build_object('id', account.id, 'name', account.name, 'status',
                   CASE WHEN erased_at IS NOT NULL THEN 'erased'
                        WHEN suspended_at IS NOT NULL THEN 'suspended' ELSE 'active' END)
            FROM account WHERE account.id = g.account_id) AS account,
         (SELECT json_build_object('id', key.id, 'name', key.name, 'lastFour', key.last_four)
            FROM api_key AS key WHERE key.id = g.key_id) AS key,
         (SELECT json_build_object('moderator', moderator, 'category', category, 'path', path, 'certainty', certainty)
            FROM moderation_decision WHERE generation_id = g.id AND NOT allowed ORDER BY id LIMIT 1) AS refusal,
         (SELECT coalesce(json_agg(json_build_object(
                   'renderId', image.render_id, 'position', position, 'format', format, 'sha256', sha256, 'storageKey', storage_key,
                   'sizeBytes', size_bytes, 'width', width, 'height', height, 'deletedAt', deleted_at) ORDER BY position, format), '[]')
            FROM render JOIN image ON image.render_id = render.id WHERE render.generation_id = g.id) AS files
    FROM generation AS g WHERE g.id = ANY ($1) ORDER BY g.id DESC`;

/** Holds and the registry keep archived jobs and their images. */
async function findArchived(sql: Sql, clue: JobClue): Promise<ArchivedTrace | null> {
  if (clue.by === "job") {
    const [found] = await sql.query<ArchivedTrace>(archivedJob, [clue.id]);
    return found ?? null;
  }
  const renderId = await findRender(sql, clue);
  if (renderId === null) return null;
  const parts = await sql.query<{ month: string }>(
    `SELECT DISTINCT month FROM archive_part WHERE first_id <= $2 AND last_id >= $1 ORDER BY month`,
    rangeOf(renderId),
  );
  return {
    id: null,
    account: null,
    chargedMicroEur: null,
    refundedMicroEur: null,
    months: parts.map(({ month }) => month),
  };
}

/** Ids of jobs that were accepted at most as long before or after a render was planned as clocks may differ. */
function rangeOf(renderId: string): [string, string] {
  const plannedAt = Number.parseInt(renderId.replaceAll("-", "").slice(0, 12), 16);
  return [idAt(plannedAt - clockSkewMs), idAt(plannedAt + clockSkewMs)];
}

async function findRender(sql: Sql, clue: JobClue): Promise<string | null> {
  const found = (text: string, value: string) =>
    sql.query<{ id: string }>(text, [value]).then(([mark]) => mark?.id ?? null);
  if (clue.by === "hash")
    return found("SELECT render_id AS id FROM mark_file WHERE sha256 = $1", clue.sha256);
  if (clue.by === "watermark")
    return found("SELECT render_id AS id FROM mark WHERE watermark_id = $1", clue.id);
  if (clue.by === "render")
    return found("SELECT render_id AS id FROM mark WHERE render_id = $1", clue.id);
  return null;
}

const archivedJob = `
  SELECT hold.generation_id AS id,
         json_build_object('id', account.id, 'name', account.name) AS account,
         coalesce((SELECT amount_micro_eur FROM ledger_transfer JOIN ledger_entry ON transfer_id = ledger_transfer.id
                    WHERE resolves_hold_id = hold.id AND book = 'revenue'), 0) AS "chargedMicroEur",
         (SELECT coalesce(sum(amount_micro_eur), 0)::bigint FROM refund
           WHERE generation_id = hold.generation_id) AS "refundedMicroEur",
         ARRAY(SELECT DISTINCT month FROM archive_part
                WHERE hold.generation_id BETWEEN first_id AND last_id ORDER BY month) AS months
    FROM hold JOIN account ON account.id = hold.account_id
   WHERE hold.generation_id = $1`;
