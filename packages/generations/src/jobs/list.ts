import { statement, type BoundStatement, type Database, type Sql } from "@atelier/database";
import {
  AppError,
  jobKind,
  jobStatus,
  keyMode,
  type ListJobsQuery,
  type Operation,
} from "@atelier/schemas";
import {
  completeRows,
  listedRequest,
  resultColumns,
  type FoundGeneration,
  type Owner,
  type ResultRow,
} from "./find.ts";
import { firstId, idAt, lastId } from "./id-at.ts";
import { exactTerms } from "../accept/search-terms.ts";
import { hasOwnWords, matchesWords, wordParameters, wordValues } from "./search-words.ts";

/** A page of an owner's generations, and the properties that they must have. */
type GenerationsPage = Owner & {
  /** Only generations older than this one. */
  readonly beforeId: string | null;
} & Pick<ListJobsQuery, "limit" | "status" | "kind" | "created_after" | "created_before">;

/**
 * Lists a page of an owner's generations, newest first, plus one that shows whether there is a next
 * page.
 *
 * Reads the newest of each combination of kind and state and merges them, so that each part comes
 * from one index range, however rare the combination is. The array and the order by owner keep the
 * planner from using the primary key, where it would skip all newer rows in the hope of an early
 * match. The array and the order by mode keep it from the index without the mode, where it would skip all
 * jobs of the other one.
 */
export async function listGenerations(sql: Sql, page: GenerationsPage): Promise<FoundGeneration[]> {
  const list = statement(pageParameters, readPage(newestIds(page, isWithin("id"))));
  const found = list.bind(pageValues(page, page.keyId ?? page.accountId));
  return completePage(sql, found, page);
}

/** Lists the ids of a page as `listGenerations` does, without reading the generations. */
export async function listIds(sql: Sql, page: GenerationsPage): Promise<string[]> {
  const { accountId: _accountId, ...values } = pageValues(page, page.keyId ?? page.accountId);
  const list = statement(idParameters, newestIds(page, isWithin("id")));
  const found = await sql.query<{ id: string }>(...list.bind(values));
  return found.map(({ id }) => id);
}

/**
 * SQL for the ids of an owner's newest generations, as `listGenerations` describes it.
 *
 * @param condition SQL on `generation`, besides its owner, mode, kind and status.
 */
export function newestIds(
  page: Pick<GenerationsPage, "keyId" | "kind" | "mode" | "status">,
  condition: string,
): string {
  const kinds = jobKind.options.filter((kind) => kind === (page.kind ?? kind));
  const statuses = jobStatus.options.filter((status) => status === (page.status ?? status));
  const modes = keyMode.options.filter((mode) => mode === (page.mode ?? mode));
  const isMode = "generation.mode = ANY (ARRAY[of_mode.mode])";
  // All jobs of a key have its mode.
  const order = page.keyId == null ? "account_id, mode" : "key_id";
  const [owner] = order.split(",");
  // Inlined in the text instead of passed as values, so that the planner knows the number of ranges.
  return `
    SELECT newest.id
      FROM unnest('{${kinds.join()}}'::generation_kind[]) AS of_kind (kind),
           unnest('{${statuses.join()}}'::generation_status[]) AS of_status (status),
           unnest('{${modes.join()}}'::key_mode[]) AS of_mode (mode),
           LATERAL (
             SELECT id FROM generation
              WHERE ${owner} = ANY (ARRAY[:ownerId::uuid]) AND ${isMode} AND generation.kind = of_kind.kind
                AND generation.status = of_status.status AND ${condition}
              ORDER BY ${order}, id DESC LIMIT :rows
           ) AS newest
     ORDER BY newest.id DESC LIMIT :rows`;
}

/** Reads a page again of which a job was archived meanwhile: without it, the page would look like the last one. */
async function completePage(
  sql: Sql,
  page: BoundStatement,
  reader: Pick<Owner, "keyId">,
): Promise<FoundGeneration[]> {
  for (;;) {
    const found = await sql.query<ResultRow>(...page);
    const complete = await completeRows(sql, found, reader);
    if (complete.length === found.length) return complete;
  }
}

/** Properties of a generation that an index of its own finds. */
interface SoughtTerms {
  readonly q?: string | undefined;
  readonly operation?: Operation | undefined;
  readonly model?: string | undefined;
  readonly request_id?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A search that takes longer is refused, in milliseconds. */
const searchTimeoutMs = 5_000;

/**
 * Lists a page like `listGenerations`, of generations with all words of `q`, the last of which may be the beginning
 * of one, and all terms. Postgres either reads the few generations that have a rare term from the GIN index, or
 * the newest of the account until enough have a common one. The search is planned each time, because that depends
 * on the terms. The array and the order by account keep the planner from reading the jobs of others.
 *
 * @throws AppError `overloaded` for a search that takes too long.
 */
export async function searchGenerations(
  database: Pick<Database, "transaction">,
  page: GenerationsPage & SoughtTerms,
): Promise<FoundGeneration[]> {
  const { q = "", keyId = null, mode = null, kind = null, status = null } = page;
  const values = {
    ...pageValues(page, page.accountId),
    ...wordValues(q),
    terms: exactTerms({ ...page, requestId: page.request_id })
      .map((term) => `'${term}'`)
      .join(" & "),
    keyId,
    mode,
    kind,
    status,
  };
  try {
    return await database.transaction(async (sql) => {
      await sql.query("SET LOCAL plan_cache_mode = force_custom_plan");
      await sql.query(`SET LOCAL statement_timeout = ${searchTimeoutMs}`);
      return await completePage(sql, search.bind(values), { keyId });
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === queryCanceled) throw searchTooLong(error);
    throw error;
  }
}

/** SQLSTATE of a statement that exceeded its timeout. */
export const queryCanceled = "57014";

function searchTooLong(cause: unknown): AppError {
  return new AppError(
    "overloaded",
    "The search took too long. Narrow it, for example with created_after.",
    { retryAfterMs: 10_000, cause },
  );
}

/** SQL that reads the generations whose ids `pageIds` selects. */
function readPage(pageIds: string): string {
  return `
    SELECT ${listedRequest}, ${resultColumns}
      FROM (${pageIds}) AS page JOIN generation g ON g.id = page.id AND g.account_id = :accountId
     ORDER BY g.id DESC`;
}

/**
 * SQL for the range of ids and of times of a page. Its lower end is in an array, because a plan for any values
 * expects few rows between two ends, and would read all rows by their ids.
 */
function isWithin(id: string): string {
  return `
  ${id} < :endId AND ${id} >= ANY (ARRAY[:startId::uuid])
       AND (:createdAfter::timestamptz IS NULL OR generation.created_at >= :createdAfter)
       AND (:createdBefore::timestamptz IS NULL OR generation.created_at < :createdBefore)`;
}

/** The parameters of `newestIds` with `isWithin`. */
const idParameters = [
  "ownerId",
  "rows",
  "startId",
  "endId",
  "createdAfter",
  "createdBefore",
] as const;

/** The parameters of `readPage` and `isWithin`. */
const pageParameters = [...idParameters, "accountId"] as const;

const search = statement(
  [...pageParameters, ...wordParameters, "terms", "keyId", "mode", "kind", "status"],
  readPage(`
    SELECT search.generation_id AS id
      FROM generation_search AS search JOIN generation ON generation.id = search.generation_id
     WHERE search.account_id = ANY (ARRAY[:ownerId::uuid])
       AND ${matchesWords("search.terms")}
       AND (:keyId::uuid IS NULL OR ${hasOwnWords("search.terms")})
       AND ${isWithin("search.generation_id")}
       AND (:keyId::uuid IS NULL OR key_id = :keyId)
       AND (:mode::key_mode IS NULL OR generation.mode = :mode)
       AND (:kind::generation_kind IS NULL OR kind = :kind)
       AND (:status::generation_status IS NULL OR status = :status)
     ORDER BY search.account_id DESC, search.generation_id DESC LIMIT :rows`),
);

/** Small parts of an account's generations; all that are given are combined. */
interface GenerationsPart {
  /** SHA-256 in lower-case hexadecimal of a file that the generation made, also if it was deleted. */
  readonly hash?: string | undefined;
  readonly collection?: string | undefined;
  readonly starred?: true | undefined;
  /** Ids, such as those of `findSimilar`. */
  readonly ids?: readonly string[] | undefined;
}

/**
 * Lists a page like `searchGenerations`, of given generations, of the one that made a file, of a collection or of
 * the starred ones: reads one of these parts, each of which is limited, and filters it by the others.
 */
export function listAmong(
  sql: Sql,
  page: GenerationsPage & SoughtTerms & GenerationsPart,
): Promise<FoundGeneration[]> {
  const { q = "", keyId = null, mode = null, kind = null, status = null } = page;
  const { hash = null, collection = null, starred = false, ids = null } = page;
  const terms = exactTerms({ ...page, requestId: page.request_id });
  const { ownerId: _ownerId, ...values } = pageValues(page, page.accountId);
  const among =
    ids !== null
      ? amongGiven
      : hash !== null
        ? amongFiles
        : collection !== null
          ? amongCollected
          : amongStarred;
  return completePage(
    sql,
    among.bind({
      ...values,
      hash,
      collection,
      starred,
      ids,
      ...wordValues(q),
      terms: terms.map((term) => `'${term}'`).join(" & "),
      isSearch: q !== "" || terms.length > 0,
      keyId,
      mode,
      kind,
      status,
    }),
    { keyId },
  );
}

/**
 * @param part SQL that joins `generation` to what finds the part.
 * @param order the columns of the index of the part, by which it is read, not by that of all generations. The
 *   last one is the id of the generation.
 */
function listPart(part: string, order: readonly [string, ...string[]]) {
  const id = order.at(-1) ?? order[0];
  return statement(
    [
      "accountId",
      "rows",
      "startId",
      "endId",
      "createdAfter",
      "createdBefore",
      "hash",
      "collection",
      "starred",
      "ids",
      ...wordParameters,
      "terms",
      "isSearch",
      "keyId",
      "mode",
      "kind",
      "status",
    ],
    readPage(`
    SELECT generation.id FROM ${part}
       AND generation.account_id = :accountId AND ${isWithin(id)}
       AND (:ids::uuid[] IS NULL OR generation.id = ANY (:ids))
       AND (:hash::bpchar IS NULL OR EXISTS (
             SELECT FROM mark_file JOIN render ON render.id = mark_file.render_id
              WHERE mark_file.sha256 = :hash::bpchar AND render.generation_id = generation.id))
       AND (:collection::uuid IS NULL OR EXISTS (
             SELECT FROM collection JOIN collection_job AS item ON item.collection_id = collection.id
              WHERE collection.id = :collection AND collection.account_id = generation.account_id
                AND item.generation_id = generation.id))
       AND (NOT :starred::boolean OR EXISTS (
             SELECT FROM job_note AS note
              WHERE note.account_id = generation.account_id AND note.generation_id = generation.id
                AND note.starred))
       AND (:keyId::uuid IS NULL OR key_id = :keyId)
       AND (:mode::key_mode IS NULL OR generation.mode = :mode)
       AND (:kind::generation_kind IS NULL OR kind = :kind)
       AND (:status::generation_status IS NULL OR generation.status = :status)
       AND (NOT :isSearch::boolean OR EXISTS (
             SELECT FROM generation_search AS search
              WHERE search.account_id = generation.account_id AND search.generation_id = generation.id
                AND ${matchesWords("search.terms")}
                AND (:keyId::uuid IS NULL OR ${hasOwnWords("search.terms")})))
     ORDER BY ${order.map((column) => `${column} DESC`).join()} LIMIT :rows`),
  );
}

const amongGiven = listPart(
  `unnest(:ids::uuid[]) AS listed (id) JOIN generation ON generation.id = listed.id WHERE true`,
  ["generation.id"],
);

const amongFiles = listPart(
  `mark_file AS file JOIN render AS made ON made.id = file.render_id
      JOIN generation ON generation.id = made.generation_id
     WHERE file.sha256 = :hash::bpchar`,
  ["generation.id"],
);

const amongCollected = listPart(
  `collection_job AS listed JOIN generation ON generation.id = listed.generation_id
     WHERE listed.collection_id = :collection::uuid`,
  ["listed.collection_id", "listed.generation_id"],
);

const amongStarred = listPart(
  `job_note AS listed JOIN generation ON generation.id = listed.generation_id
     WHERE listed.account_id = :accountId AND listed.starred`,
  ["listed.account_id", "listed.generation_id"],
);

function pageValues(page: GenerationsPage, ownerId: string) {
  const { beforeId, limit, accountId, created_after: after, created_before: before } = page;
  const endId = before === undefined ? lastId : idAt(Date.parse(before) + clockSkewMs);
  return {
    ownerId,
    accountId,
    // One more than the page, which shows whether there is a next page.
    rows: limit + 1,
    startId: after === undefined ? firstId : idAt(Date.parse(after) - clockSkewMs),
    endId: beforeId !== null && beforeId < endId ? beforeId : endId,
    createdAfter: after ?? null,
    createdBefore: before ?? null,
  };
}

/**
 * Ids are made by the clocks of the API processes, `created_at` by that of the database: ids narrow the
 * range that is read, and `created_at` decides.
 */
export const clockSkewMs = 600_000;
