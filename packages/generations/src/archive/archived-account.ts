import type { ChargedJob } from "@atelier/billing";
import type { Database, Sql } from "@atelier/database";
import { dossierKeys } from "@atelier/schemas";
import * as z from "zod";
import { forgetDossiers } from "../retention/dossiers.ts";
import {
  accountOf,
  jobRowOf,
  parseLine,
  readArchiveFile,
  type ArchivedRow,
  type ArchiveStorage,
} from "./archive-file.ts";
import { finishOpenParts } from "./archive-jobs.ts";
import { ArchiveBusyError, withArchiveLease } from "./archive-lease.ts";
import {
  findPart,
  findPartsOf,
  readPartsAround,
  readPartsOf,
  writePart,
  type ArchivePart,
} from "./archive-parts.ts";
import type { JobLines } from "./archived-tables.ts";
import type { ExportedJobs } from "./exported-jobs.ts";

/** Rows that stay after an erasure: hashes of images and moderation decisions, as in the tables. */
const provenTables: ReadonlySet<string> = new Set(["image", "moderation_decision"]);

interface ArchiveErasure {
  readonly jobs: number;
  /** Dossiers that were deleted. */
  readonly files: number;
  readonly filesNotRemoved: number;
  /** Parts that still have the account, or could not be read. */
  readonly partsLeft: number;
  /** Whether another process works on the archive, which may have read jobs of the account before. */
  readonly isBusy: boolean;
  /** Why parts could not be changed. */
  readonly problems: readonly string[];
}

/**
 * Removes the archived jobs of an account that is being erased, with their dossiers. Hashes of images and
 * moderation decisions stay. A part that cannot be read does not keep the others from being changed. Can be
 * repeated.
 */
export async function eraseArchived(
  database: Pick<Database, "query" | "transaction">,
  storage: ArchiveStorage,
  accountId: string,
): Promise<ArchiveErasure> {
  const erased = { jobs: 0, files: 0, filesNotRemoved: 0 };
  const problems: string[] = [];
  const erasePart = async (part: ArchivePart) => {
    if (part.file === null) return;
    const lines = await readArchiveFile(storage, part.file);
    const own = new Map([...lines].filter(([, rows]) => accountOf(rows) === accountId));
    if (own.size === 0 && !part.accountIds.includes(accountId)) return;
    const rows = [...own.values()].flatMap((job) => job.map(parseLine));
    const { removed, failed } = await deleteDossiers(database, storage, rows);
    erased.files += removed;
    erased.filesNotRemoved += failed;
    if (failed > 0) return;
    const left = new Map(
      [...lines].map(([id, job]) => [
        id,
        own.has(id) ? job.filter((line) => provenTables.has(parseLine(line).table)) : job,
      ]),
    );
    await writePart({ sql: database, storage }, part, { lines: left, jobs: part.jobs });
    erased.jobs += own.size;
  };
  const work = async (proceed: () => Promise<void>) => {
    // A part that cannot be finished is among the parts below if it has the account.
    await finishOpenParts({ database, storage }, proceed).catch(() => proceed());
    for (const part of await findPartsOf(database, accountId)) {
      await proceed();
      await erasePart(part).catch((error: unknown) => problems.push(String(error)));
    }
  };
  let isBusy = false;
  await withArchiveLease(database, work).catch((error: unknown) => {
    if (!(error instanceof ArchiveBusyError)) throw error;
    isBusy = true;
  });
  const recorded = await readPartsOf(database, accountId);
  return { ...erased, partsLeft: Math.max(recorded.length, problems.length), isBusy, problems };
}

async function deleteDossiers(
  sql: Sql,
  storage: ArchiveStorage,
  rows: readonly ArchivedRow[],
): Promise<{ readonly removed: number; readonly failed: number }> {
  const renders = rows
    .filter(({ table }) => table === "render")
    .map(({ row }) => ({ renderId: String(row["id"]), attempt: Number(row["attempt"]) }));
  await forgetDossiers(
    sql,
    renders.map(({ renderId }) => renderId),
  );
  const keys = renders.flatMap(dossierKeys);
  const failed = await storage.delete(keys);
  return { removed: keys.length - failed.length, failed: failed.length };
}

/** Columns of an archived row of `generation` that its account may see. */
export interface ArchivedJob {
  readonly id: string;
  readonly operation: string;
  readonly status: string;
  readonly model: string;
  readonly title: string | null;
  readonly request: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly charged_micro_eur: number | null;
  readonly created_at: string;
  readonly completed_at: string;
}

/**
 * Reads the archived jobs of an account, part by part, after its jobs in the tables were read: a job that moves
 * to the archive meanwhile is read once. The part that is being written is read too.
 *
 * @param exported the jobs that were read from the tables.
 * @throws Error when a file is missing or damaged.
 */
export async function* readArchivedJobs(
  sql: Sql,
  storage: Pick<ArchiveStorage, "get">,
  { accountId, exported }: { readonly accountId: string; readonly exported: ExportedJobs },
): AsyncGenerator<ArchivedJob> {
  for (const part of await readPartsOf(sql, accountId)) {
    for (const lines of (await readCurrentFile(sql, storage, part)).values()) {
      const job = jobRowOf(lines);
      if (job?.["account_id"] !== accountId || exported.has(String(job["id"]))) continue;
      yield job as unknown as ArchivedJob;
    }
  }
}

/**
 * Finds the row of an archived job; null if no part has it, or its account was erased. A damaged file keeps no job of
 * another from being found.
 *
 * @throws Error when the job is in none of the intact files, and another is missing or damaged.
 */
export async function findArchivedJob(
  sql: Sql,
  storage: Pick<ArchiveStorage, "get">,
  jobId: string,
): Promise<ArchivedRow["row"] | null> {
  const failures: unknown[] = [];
  for (const part of await readPartsAround(sql, jobId)) {
    const file = await readCurrentFile(sql, storage, part).catch((error: unknown) => {
      failures.push(error);
    });
    const lines = file?.get(jobId);
    const job = lines === undefined ? null : jobRowOf(lines);
    if (job !== null) return job;
  }
  if (failures.length > 0) throw failures[0];
  return null;
}

const chargedColumns = z
  .object({
    account_id: z.string(),
    key_id: z.string().nullable(),
    // Files of earlier versions do not have it.
    budget_id: z.string().nullable().default(null),
    model: z.string(),
    kind: z.string(),
  })
  .transform(
    ({ account_id: accountId, key_id: keyId, budget_id: budgetId, model, kind }): ChargedJob => ({
      accountId,
      keyId,
      budgetId,
      model,
      kind,
    }),
  );

/** Reads what a refund needs of an archived job; null and errors as of `findArchivedJob`. */
export async function findArchivedCharge(
  sql: Sql,
  storage: Pick<ArchiveStorage, "get">,
  jobId: string,
): Promise<ChargedJob | null> {
  const job = await findArchivedJob(sql, storage, jobId);
  return job && chargedColumns.parse(job);
}

/** Reads the file of a part, also when it was replaced since. A part that was discarded has no job of its own. */
async function readCurrentFile(
  sql: Sql,
  storage: Pick<ArchiveStorage, "get">,
  { id, file }: Pick<ArchivePart, "id" | "file">,
): Promise<JobLines> {
  // No job is removed from the tables before its file is recorded.
  if (file === null) return new Map();
  try {
    return await readArchiveFile(storage, file);
  } catch (error) {
    const current = await findPart(sql, id);
    if (current?.file?.key === file.key) throw error;
    return current === null ? new Map() : readCurrentFile(sql, storage, current);
  }
}
