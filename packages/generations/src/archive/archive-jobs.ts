import { setTimeout as delay } from "node:timers/promises";
import type { Database, Sql } from "@atelier/database";
import { settleEach } from "@atelier/kit";
import { idAt } from "../jobs/id-at.ts";
import { readArchiveFile, type ArchiveStorage } from "./archive-file.ts";
import { withArchiveLease } from "./archive-lease.ts";
import {
  completePart,
  deletePending,
  discardPart,
  openPart,
  readOpenParts,
  writePart,
  type ArchivePart,
} from "./archive-parts.ts";
import { readJobLines, type JobLines } from "./archived-tables.ts";
import { removeArchivedJobs } from "./remove-jobs.ts";
import { findStaying, youngestDays, type StayReason } from "./staying-jobs.ts";

/** Bounds of the memory and the transactions of a run. */
interface ArchiveLimits {
  /** Uncompressed size at which a part is complete, in characters. */
  readonly partSize: number;
  /** Jobs that are read at once. */
  readonly pageJobs: number;
  /** Rows that one transaction deletes; those of a single job may be more. */
  readonly batchRows: number;
}

const defaultLimits: ArchiveLimits = { partSize: 8_000_000, pageJobs: 100, batchRows: 500 };

/** The database and the storage of the archive. */
export interface ArchiveStores {
  readonly database: Pick<Database, "query" | "transaction">;
  readonly storage: ArchiveStorage;
}

/** Jobs that a run moved, and those that it left. */
export interface ArchiveResult {
  readonly parts: number;
  readonly jobs: number;
  /** Jobs that stay in the tables, by reason. */
  readonly staying: Readonly<Partial<Record<StayReason, number>>>;
}

/**
 * Moves old jobs from the tables to the storage, month by month: writes parts of a month to files, reads them
 * back, and deletes their rows in short transactions, pausing after each for as long as it took. Can be
 * interrupted at any point, and repeated.
 *
 * @param options.before jobs of this month, such as `2026-06`, and later ones stay.
 * @param options.withTexts whether jobs are archived that still have their request and prompts.
 * @param onProgress receives a line about each part.
 * @throws Error for a month that is too late, or when the storage loses a file.
 */
export function archiveJobs(
  { database, storage }: ArchiveStores,
  options: {
    readonly before: string;
    readonly withTexts: boolean;
    readonly limits?: Partial<ArchiveLimits>;
  },
  onProgress: (line: string) => void = () => undefined,
): Promise<ArchiveResult> {
  const run = { database, storage, limits: { ...defaultLimits, ...options.limits } };
  return withArchiveLease(database, async (proceed) => {
    const end = await assertOld(database, options.before);
    await finishOpenParts(run, proceed, onProgress);
    const staying: Partial<Record<StayReason, number>> = {};
    let parts = 0;
    let jobs = 0;
    let after = firstId;
    for (;;) {
      await proceed();
      const found = await collectPart(run, { after, end, withTexts: options.withTexts });
      if (found === null) return { parts, jobs, staying };
      for (const reason of found.staying) staying[reason] = (staying[reason] ?? 0) + 1;
      after = found.last;
      if (found.lines.size === 0) continue;
      await proceed();
      const part = await openPart(database, found);
      const written = await writePart({ sql: database, storage }, part, {
        lines: found.lines,
        jobs: found.lines.size,
      });
      const removed = await removeJobs(run, written, found.lines, proceed);
      parts += removed === 0 ? 0 : 1;
      jobs += removed;
      onProgress(`${found.month}: ${jobs} jobs are archived`);
    }
  });
}

/**
 * Finishes what interrupted runs began. To be called with the lease of the archive.
 *
 * @throws AggregateError with the errors of parts that cannot be finished, after the last one.
 */
export async function finishOpenParts(
  {
    database,
    storage,
    limits = defaultLimits,
  }: ArchiveStores & { readonly limits?: ArchiveLimits },
  proceed: () => Promise<void>,
  onProgress: (line: string) => void = () => undefined,
): Promise<void> {
  const stores = { sql: database, storage };
  await settleEach(await readOpenParts(database), async (open) => {
    const part = open.pendingKey === null ? open : await deletePending(stores, open);
    if (part.file === null) {
      await discardPart(stores, part);
    } else if (part.completedAt === null) {
      const lines = await readArchiveFile(storage, part.file);
      await removeJobs({ database, storage, limits }, part, lines, proceed);
      onProgress(`${part.month}: an interrupted part is finished`);
    }
  });
}

interface Run extends ArchiveStores {
  readonly limits: ArchiveLimits;
}

const firstId = "00000000-0000-0000-0000-000000000000";

/** @returns the first id of the month. */
async function assertOld(sql: Sql, before: string): Promise<string> {
  const [month] = await sql.query<{ isOld: boolean; latest: string }>(
    `SELECT $1::date <= latest AS "isOld", to_char(latest, 'YYYY-MM') AS latest
       FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC' - interval '${youngestDays} days')
                      AS latest) AS months`,
    [`${before}-01`],
  );
  if (month?.isOld !== true) {
    throw new Error(
      `Jobs are archived ${youngestDays} days after the end of their month. The latest month now is ${month?.latest}.`,
    );
  }
  return idAt(Date.parse(`${before}-01T00:00:00Z`));
}

/** The month of the time in a UUIDv7, such as `2026-05`. */
function monthOf(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString().slice(0, 7);
}

/** Jobs of one month to be archived, and why others between them stay. */
interface Collected {
  readonly month: string;
  readonly lines: JobLines;
  readonly staying: readonly StayReason[];
  /** Id of the last job that was looked at. */
  readonly last: string;
}

/** Reads the next jobs of one month. @returns null after the last one. */
async function collectPart(
  { database, limits }: Run,
  { after, end, withTexts }: { after: string; end: string; withTexts: boolean },
): Promise<Collected | null> {
  const lines = new Map<string, readonly string[]>();
  const staying: StayReason[] = [];
  let month: string | null = null;
  let last = after;
  for (let size = 0; size < limits.partSize;) {
    const page = await database.query<{ id: string }>(
      "SELECT id FROM generation WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3",
      [last, end, limits.pageJobs],
    );
    const first = page[0];
    if (first === undefined) break;
    month ??= monthOf(first.id);
    const ids = page.map(({ id }) => id).filter((id) => monthOf(id) === month);
    const [lastId] = ids.slice(-1);
    if (lastId === undefined) break;
    const reasons = await findStaying(database, ids, withTexts);
    staying.push(...reasons.values());
    const ready = ids.filter((id) => !reasons.has(id));
    const read = await database.transaction((sql) => readJobLines(sql, ready));
    for (const [id, rows] of read) {
      lines.set(id, rows);
      size += rows.reduce((sum, row) => sum + row.length, 0);
    }
    last = lastId;
  }
  return month === null ? null : { month, lines, staying, last };
}

/**
 * Removes the jobs of a verified part from the tables, and from the part those that changed since.
 *
 * @returns the number of its jobs.
 */
async function removeJobs(
  { database, storage, limits }: Run,
  part: ArchivePart,
  lines: JobLines,
  proceed: () => Promise<void>,
): Promise<number> {
  const stores = { sql: database, storage };
  const changed = new Set<string>();
  for (const batch of inBatches(lines, limits.batchRows)) {
    const startedAt = performance.now();
    for (const id of await removeArchivedJobs(database, part, batch)) changed.add(id);
    await delay(performance.now() - startedAt);
    await proceed();
  }
  const kept = new Map([...lines].filter(([id]) => !changed.has(id)));
  if (kept.size === 0) {
    await discardPart(stores, part);
    return 0;
  }
  const written =
    changed.size === 0 ? part : await writePart(stores, part, { lines: kept, jobs: kept.size });
  await completePart(database, written);
  return kept.size;
}

function* inBatches(lines: JobLines, maxRows: number): Generator<JobLines> {
  let batch = new Map<string, readonly string[]>();
  let rows = 0;
  for (const [id, own] of lines) {
    if (rows > 0 && rows + own.length > maxRows) {
      yield batch;
      batch = new Map();
      rows = 0;
    }
    batch.set(id, own);
    rows += own.length;
  }
  if (rows > 0) yield batch;
}
