import { restOfBudget } from "@atelier/billing";
import type { Sql } from "@atelier/database";
import {
  unusedRole,
  type Book,
  type GenerationError,
  type JobStatus,
  type KeyMode,
  type Metadata,
  type Operation,
} from "@atelier/schemas";
import { keptCopy } from "../library/kept-copy.ts";
import { readSources, sourceColumn, type ChangedImage, type FoundSource } from "./sources.ts";
import { readResult, type FoundRender, type StoredResult } from "./result.ts";
import { withSupplied, type SuppliedReference } from "./supplied-references.ts";

/** A generation with its renders in order and their images, as presented to its owner. */
export interface FoundGeneration {
  readonly id: string;
  readonly kind: "image" | "story";
  readonly operation: Operation;
  readonly status: JobStatus;
  readonly mode: KeyMode;
  readonly model: string;
  /** The request body. In lists null, except for completed stories. */
  readonly request: unknown;
  /** Start of the prompt; null for a story without one. */
  readonly prompt: string | null;
  readonly metadata: Metadata;
  /** The image of a job that it changes; null for others. */
  readonly source: FoundSource | null;
  /** Seed of the first image; null for generations from before it was recorded. */
  readonly seed: bigint | null;
  /** The requesting key; null for generations from before it was recorded. */
  readonly key: { readonly id: string; readonly name: string } | null;
  readonly title: string | null;
  /** The title and star that the account noted on it; null if neither. */
  readonly note: { readonly title: string | null; readonly starred: boolean } | null;
  /** The object that the account stored with it. In lists null. */
  readonly book: Book | null;
  /** Whether its images are kept until they are deleted; null if not. */
  readonly keep: {
    readonly status: "pending" | "kept" | "refused";
    readonly sizeBytes: number;
  } | null;
  readonly chargedMicroEur: bigint | null;
  /** The balance after its charge, or the rest of the budget of its key if that is less; null for a test. */
  readonly balanceAfterMicroEur: bigint | null;
  readonly error: GenerationError | null;
  readonly scenesTotal: number | null;
  readonly scenesCompleted: number | null;
  readonly rendersTotal: number;
  readonly rendersCompleted: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly renders: readonly FoundRender[];
  /** Uploads and images of jobs that a completed story used as references and that still exist. */
  readonly suppliedReferences: readonly SuppliedReference[];
}

/** A generation as its rows say it. */
type WithoutSupplied = Omit<FoundGeneration, "source" | "suppliedReferences">;

/** Characters of the prompt that a list shows. */
const promptLength = 200;

/** Columns of a generation's own row. */
const ownColumns = `
  g.id, kind, operation, status, g.mode, model, title, error, metadata, seed,
  left(request->>'prompt', ${promptLength}) AS prompt, ${sourceColumn},
  (SELECT json_build_object('id', key.id, 'name', key.name) FROM api_key AS key
    WHERE key.id = g.key_id) AS key,
  renders_total AS "rendersTotal",
  charged_micro_eur AS "chargedMicroEur", CASE WHEN balance_after_micro_eur IS NULL OR g.mode = 'test' THEN NULL ELSE least(balance_after_micro_eur, (
    SELECT ${restOfBudget} FROM api_key WHERE api_key.id = g.key_id)) END AS "balanceAfterMicroEur",
  scenes_total AS "scenesTotal", scenes_completed AS "scenesCompleted",
  created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt"`;

/** Columns of a generation whose result is read, for `completeRows`: `result` is null if its rows must be read. */
export const resultColumns = `${ownColumns}, CASE WHEN marks = 0 THEN result END AS result`;

/** A generation as `resultColumns` read it. */
export type ResultRow = Omit<
  FoundGeneration,
  "book" | "keep" | "note" | "renders" | "rendersCompleted" | "source" | "suppliedReferences"
> & { readonly result: StoredResult | null; readonly changed: ChangedImage | null };

/**
 * Columns of a generation whose rows are read. Readers need the files of renders only once all of them are done,
 * except for thumbnails.
 */
const rowColumns = `${ownColumns},
  (SELECT json_build_object(
     'status', CASE WHEN item.status IN ('requested', 'copying') THEN 'pending' ELSE item.status::text END,
     'sizeBytes', item.size_bytes) FROM kept_item AS item WHERE item.id = g.id) AS keep,
  (SELECT json_build_object('title', note.title, 'starred', note.starred) FROM job_note AS note
    WHERE note.account_id = g.account_id AND note.generation_id = g.id) AS note,
  CASE WHEN status = 'completed' THEN renders_total ELSE (
    SELECT count(*)::int FROM render AS r WHERE r.generation_id = g.id AND r.status = 'done'
  ) END AS "rendersCompleted",
  CASE WHEN g.status <> 'completed' AND renders_total = 1 THEN '[]'::json ELSE (
    SELECT json_agg(json_build_object(
        'role', r.role, 'status', r.status, 'model', r.model, 'task', r.spec->'task'->'kind',
        'spec', json_build_object('name', r.spec->'name', 'state', r.spec->'state',
                                  'title', r.spec->'title', 'seed', r.spec->'seed',
                                  'engineCommands', r.spec->'engineCommands',
                                  'reading', r.spec->'reading',
                                  'scaledFrom', r.spec->'scaledFrom',
                                  'unused', jsonb_path_query_array(r.spec,
                                    '$.references[*] ? (@.role == "${unusedRole}").source.path')),
        'isWatermarked', (SELECT watermark_id IS NOT NULL FROM mark WHERE render_id = r.id),
        'images', (
          SELECT coalesce(json_agg(json_build_object(
              'format', i.format, 'storageKey', coalesce(kept.storage_key, i.storage_key), 'sha256', i.sha256,
              'sizeBytes', i.size_bytes, 'width', i.width, 'height', i.height,
              'flattened', i.flattened,
              'deleted', i.deleted_at IS NOT NULL AND kept.storage_key IS NULL) ORDER BY i.format), '[]')
            FROM image i ${keptCopy("i")} WHERE i.render_id = r.id AND (g.status = 'completed'
                  OR g.status IN ('pending', 'processing') AND i.format = 'thumbnail'))
      ) ORDER BY r.position)
      FROM render r WHERE r.generation_id = g.id
  ) END AS renders`;

/** SQL column: the book of a generation. */
const book = `
  (SELECT note.book FROM job_note AS note
    WHERE note.account_id = g.account_id AND note.generation_id = g.id) AS book`;

/** Restricts a query to the generations of an account, of one of its keys, or of a mode. */
export interface Owner {
  readonly accountId: string;
  /** Null or omitted for both modes. */
  readonly mode?: KeyMode | null | undefined;
  /** Null or omitted for the generations of all keys. */
  readonly keyId?: string | null | undefined;
}

/** SQL columns of the details of generations: the request and the book, or those of lists. */
const detailColumns = {
  own: { request: "request", book },
  // Completed stories are presented with their request.
  listed: {
    request: "CASE WHEN g.kind = 'story' AND g.status = 'completed' THEN request END AS request",
    book: "NULL::jsonb AS book",
  },
} as const;

/** SQL column for lists: the request of completed stories only. */
export const listedRequest = detailColumns.listed.request;

/** Finds a generation of an owner by id; null if none exists. */
export async function findGeneration(
  sql: Sql,
  target: Owner & { readonly generationId: string },
): Promise<FoundGeneration | null> {
  const found = await sql.query<ResultRow>(
    `SELECT request, ${resultColumns} FROM generation g
      WHERE g.id = $1 AND g.account_id = $2 AND ($3::uuid IS NULL OR g.key_id = $3)
        AND ($4::key_mode IS NULL OR g.mode = $4)`,
    [target.generationId, target.accountId, target.keyId ?? null, target.mode ?? null],
  );
  return (await completeRows(sql, found, target, "own"))[0] ?? null;
}

/**
 * Finds generations by their ids, with the columns of a list.
 *
 * @param owner null for those of any account, without the texts of the images that they change: events do not have
 *   them.
 */
export async function findGenerations(
  sql: Sql,
  generationIds: readonly string[],
  owner: Owner | null = null,
): Promise<ReadonlyMap<string, FoundGeneration>> {
  const found = await sql.query<ResultRow>(
    `SELECT ${listedRequest}, ${resultColumns} FROM generation g WHERE g.id = ANY ($1)
         AND ($2::uuid IS NULL OR g.account_id = $2) AND ($3::uuid IS NULL OR g.key_id = $3)
         AND ($4::key_mode IS NULL OR g.mode = $4)`,
    [generationIds, owner?.accountId ?? null, owner?.keyId ?? null, owner?.mode ?? null],
  );
  const generations = await completeRows(sql, found, owner);
  return new Map(generations.map((generation) => [generation.id, generation]));
}

/**
 * Adds to generations what their results say, in their order. One statement reads the rows of those without a
 * result; its plan costs more than their own row. Another one reads the texts of the images that were changed.
 *
 * @param reader whose jobs the texts of changed images are read from; null to read no texts, for events and results.
 */
export async function completeRows<Row extends ResultRow>(
  sql: Sql,
  rows: readonly Row[],
  reader: Pick<Owner, "keyId"> | null,
  kind: keyof typeof detailColumns = "listed",
): Promise<(Omit<Row, "changed" | "result"> & FoundGeneration)[]> {
  const incomplete = rows.flatMap(({ id, result }) => (result === null ? [id] : []));
  const { request, book: ofNote } = detailColumns[kind];
  const read =
    incomplete.length === 0
      ? []
      : await sql.query<WithoutSupplied>(
          `SELECT ${request}, ${ofNote}, ${rowColumns} FROM generation g WHERE g.id = ANY ($1)`,
          [incomplete],
        );
  const complete = new Map((await withSupplied(sql, read)).map((found) => [found.id, found]));
  const sources = await readSources(sql, rows, reader);
  return rows.flatMap((row) => {
    const { result, changed: _changed, ...own } = row;
    const source = sources.get(row.id) ?? null;
    if (result !== null) return [{ ...own, source, ...withoutChanges, ...presentable(result) }];
    const found = complete.get(row.id);
    // Without it, it was archived meanwhile.
    return found === undefined ? [] : [{ ...own, ...found, source }];
  });
}

/** A job with a result was neither noted nor kept, and is no story. */
const withoutChanges = { book: null, keep: null, note: null, suppliedReferences: [] } as const;

function presentable(result: StoredResult): Pick<FoundGeneration, "renders" | "rendersCompleted"> {
  return { renders: readResult(result), rendersCompleted: result.length };
}

/** Reads of generations what lists leave out, by id. */
export async function readDetails(
  sql: Sql,
  generationIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<FoundGeneration, "request" | "book">>> {
  const rows = await sql.query<Pick<FoundGeneration, "id" | "request" | "book">>(
    `SELECT id, request, ${book} FROM generation g WHERE id = ANY ($1)`,
    [generationIds],
  );
  return new Map(rows.map(({ id, ...details }) => [id, details]));
}

/** Returns the ids of those generations that are final; one query for all waiting requests. */
export async function filterFinal(sql: Sql, generationIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    "SELECT id FROM generation WHERE id = ANY ($1) AND status NOT IN ('pending', 'processing')",
    [generationIds],
  );
  return rows.map(({ id }) => id);
}

/** Whether a generation is in a final state. */
export function isFinal({ status }: { readonly status: JobStatus }): boolean {
  return status !== "pending" && status !== "processing";
}
