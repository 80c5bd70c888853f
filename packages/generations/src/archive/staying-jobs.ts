import type { Sql } from "@atelier/database";

/** Days for which a job must have been final: its events, deliveries and idempotency key are removed before. */
export const youngestDays = 31;

/**
 * SQL over `generation AS job`: whether its account is being erased. The erasure has removed the texts of a job
 * before the job is archived, and the audit distinguishes parts from before the erasure by their time.
 */
const isBeingErased = `
  EXISTS (SELECT FROM account WHERE account.id = job.account_id AND erased_at IS NOT NULL
             AND (redacted_at IS NULL OR erased_at > now() - interval '1 day'))`;

/** The reason for which a job stays in the tables. */
export type StayReason = "unfinished" | "recent" | "texts" | "files" | "used" | "erasure";

/**
 * SQL over `generation AS job`: whether its account or an unfinished batch refers to it. `cast_member`, `collection` and
 * `chosen_scene` are found by the account.
 */
const isUsed = `
     EXISTS (SELECT FROM kept_item WHERE kept_item.id = job.id)
  OR EXISTS (SELECT FROM share WHERE share.generation_id = job.id)
  OR EXISTS (SELECT FROM job_note WHERE job_note.account_id = job.account_id AND generation_id = job.id)
  OR EXISTS (SELECT FROM cast_member WHERE cast_member.account_id = job.account_id AND story_job_id = job.id)
  OR EXISTS (SELECT FROM collection JOIN collection_job ON collection_id = collection.id
              WHERE collection.account_id = job.account_id AND generation_id = job.id)
  OR EXISTS (SELECT FROM chosen_scene WHERE chosen_scene.account_id = job.account_id
                AND (story_id = job.id OR version_id = job.id))
  OR EXISTS (SELECT FROM batch WHERE batch.id = job.batch_id AND batch.completed_at IS NULL)
  OR EXISTS (SELECT FROM generation_webhook WHERE generation_webhook.generation_id = job.id)`;

/** SQL over `generation AS job`: it has files, or a dossier that the sweep of abandoned dossiers has not reached. */
const hasFiles = `
  EXISTS (SELECT FROM render JOIN image ON render_id = render.id
           WHERE generation_id = job.id AND removed_at IS NULL)
  OR EXISTS (SELECT FROM render WHERE generation_id = job.id AND attempt > (status = 'done')::int
                AND id > coalesce((SELECT after FROM sweep_progress WHERE name = 'abandoned_dossiers'),
                                  '00000000-0000-0000-0000-000000000000'))`;

/**
 * Finds those of some jobs that stay in the tables.
 *
 * @param withTexts whether jobs may be archived that still have their request.
 * @returns the first reason of each, by the id of the job.
 */
export async function findStaying(
  sql: Sql,
  jobIds: readonly string[],
  withTexts: boolean,
): Promise<ReadonlyMap<string, StayReason>> {
  const rows = await sql.query<{ id: string; reason: StayReason | null }>(
    `SELECT id, CASE
         WHEN completed_at IS NULL
           OR EXISTS (SELECT FROM render WHERE generation_id = job.id AND finished_at IS NULL) THEN 'unfinished'
         WHEN completed_at >= now() - interval '${youngestDays} days' THEN 'recent'
         WHEN ${isUsed} THEN 'used'
         WHEN ${hasFiles} THEN 'files'
         WHEN ${isBeingErased} THEN 'erasure'
         WHEN redacted_at IS NULL AND NOT $2::boolean THEN 'texts'
       END AS reason
       FROM generation AS job WHERE id = ANY ($1)`,
    [jobIds, withTexts],
  );
  return new Map(
    rows.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason] as const])),
  );
}
