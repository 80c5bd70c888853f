import type { Database, Sql } from "@atelier/database";
import { countRemoved, type ArchivePart } from "./archive-parts.ts";
import { deleteJobRows, readJobLines, type JobLines } from "./archived-tables.ts";
import { findStaying } from "./staying-jobs.ts";

/**
 * Deletes the rows of archived jobs from the tables, in one transaction that locks these jobs only. A job that
 * changed since it was archived, or that its account uses now, stays.
 *
 * @param archived the rows that the file of the part has.
 * @returns the ids of those that stay. Jobs that were deleted before are ignored.
 * @throws Error when another process changed the part; then all of them stay.
 */
export function removeArchivedJobs(
  database: Pick<Database, "transaction">,
  part: ArchivePart,
  archived: JobLines,
): Promise<readonly string[]> {
  return database.transaction(async (sql) => {
    const locked = await sql.query<{ id: string }>(
      "SELECT id FROM generation WHERE id = ANY ($1) ORDER BY id FOR UPDATE",
      [[...archived.keys()]],
    );
    const ids = locked.map(({ id }) => id);
    if (ids.length === 0) return [];
    // After the lock, so that they see what others committed before.
    const current = await readJobLines(sql, ids);
    const staying = await findStaying(sql, ids, true);
    const doomed = ids.filter(
      (id) => !staying.has(id) && isEqual(archived.get(id), current.get(id)),
    );
    if (doomed.length > 0) {
      await sumUsage(sql, doomed);
      await deleteJobRows(sql, doomed);
      await countRemoved(sql, part, doomed.length);
    }
    const removed = new Set(doomed);
    return ids.filter((id) => !removed.has(id));
  });
}

function isEqual(archived: readonly string[] = [], current: readonly string[] = []): boolean {
  return archived.length === current.length && archived.every((line, at) => line === current[at]);
}

/** Adds jobs to the sums of their account, key and budget, by the days in UTC on which they were accepted and ended. */
async function sumUsage(sql: Sql, jobIds: readonly string[]): Promise<void> {
  await sql.query(
    `INSERT INTO archived_budget_usage AS known (account_id, budget_id, ended_on, accepted_on,
                                                 jobs, images, failed, charged_micro_eur)
     SELECT account_id, budget_id, (completed_at AT TIME ZONE 'UTC')::date, (created_at AT TIME ZONE 'UTC')::date,
            count(*), coalesce(sum(renders_total) FILTER (WHERE status = 'completed'), 0),
            count(*) FILTER (WHERE status = 'failed'), coalesce(sum(charged_micro_eur), 0)
       FROM generation WHERE id = ANY ($1) AND budget_id IS NOT NULL GROUP BY 1, 2, 3, 4
     ON CONFLICT (account_id, budget_id, ended_on, accepted_on) DO UPDATE
       SET jobs = known.jobs + excluded.jobs, images = known.images + excluded.images,
           failed = known.failed + excluded.failed,
           charged_micro_eur = known.charged_micro_eur + excluded.charged_micro_eur`,
    [jobIds],
  );
  await sql.query(
    `INSERT INTO archived_usage AS known (account_id, ended_on, accepted_on, key_id, mode, kind, model,
                                          jobs, images, failed, charged_micro_eur)
     SELECT job.account_id, (ended.created_at AT TIME ZONE 'UTC')::date, (job.created_at AT TIME ZONE 'UTC')::date,
            coalesce(key_id, '00000000-0000-0000-0000-000000000000'), mode, job.kind, model, count(*),
            coalesce(sum(renders_total) FILTER (WHERE status = 'completed'), 0),
            count(*) FILTER (WHERE status = 'failed'), coalesce(sum(amount_micro_eur), 0)
       FROM generation AS job
       JOIN ledger_transfer AS ended ON ended.generation_id = job.id AND ended.kind IN ('settle', 'release')
       LEFT JOIN ledger_entry ON transfer_id = ended.id AND book = 'revenue'
      WHERE job.id = ANY ($1) GROUP BY 1, 2, 3, 4, 5, 6, 7
     ON CONFLICT (account_id, ended_on, accepted_on, key_id, mode, kind, model) DO UPDATE
       SET jobs = known.jobs + excluded.jobs, images = known.images + excluded.images,
           failed = known.failed + excluded.failed,
           charged_micro_eur = known.charged_micro_eur + excluded.charged_micro_eur`,
    [jobIds],
  );
}
