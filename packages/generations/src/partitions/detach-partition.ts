import { statement, type Database, type Sql } from "@atelier/database";
import { setTimeout as delay } from "node:timers/promises";
import { idAt, timeOf } from "../id-range.ts";
import { shortLockWaits } from "./create-partitions.ts";
import { partitionedTables, readPartitions, type Partition } from "./partitioned-tables.ts";

const dayMs = 86_400_000;

/** Idempotency keys, events and deliveries of younger jobs are still there. */
const youngestMs = 31 * dayMs;

/** Calls are made until the deadline of their job. */
const latestCallMs = 8 * dayMs;

/** Their rows are moved while the tables are locked. */
const maxStaying = 1_000;

const lockRetries = 100;

/** SQLSTATE of `lock_timeout`, of a deadlock and of a statement that took too long. */
const conflicts: ReadonlySet<unknown> = new Set(["55P03", "40P01", "57014"]);

/** A month cannot be archived. */
export class PartitionRefusedError extends Error {
  override readonly name = "PartitionRefusedError";
}

/** SQL over `generation`: accounts use the job, so that it stays when its month is archived. */
const isUsed = `
  id IN (SELECT id FROM kept_item) OR id IN (SELECT story_job_id FROM cast_member)
  OR id IN (SELECT generation_id FROM job_note) OR id IN (SELECT generation_id FROM collection_job)
  OR id IN (SELECT story_id FROM chosen_scene) OR id IN (SELECT version_id FROM chosen_scene)
  OR batch_id IN (SELECT id FROM batch)`;

/**
 * Detaches a month from all partitioned tables in one transaction, which holds its locks for less than a
 * second. Jobs that an account uses (kept, noted, collected, of a batch) stay, and rows of other months that
 * belong to the detached jobs go with them.
 *
 * @returns false if it was detached before.
 * @throws PartitionRefusedError for a month that does not exist, is too young, or has jobs that are not ready.
 */
export async function detachPartition(database: Database, name: string): Promise<boolean> {
  const [known] = await database.query("SELECT FROM archived_partition WHERE name = $1", [name]);
  if (known !== undefined) return false;
  const partition = (await readPartitions(database)).find((one) => one.name === name);
  if (partition === undefined) {
    throw new PartitionRefusedError(
      `There is no partition "${name}". List them with "partitions list".`,
    );
  }
  await assertArchivable(database, partition);
  await recordDossiers(database, name);
  for (let attempt = 1; ; attempt++) {
    try {
      await database.transaction((sql) => detach(sql, partition));
      return true;
    } catch (error) {
      if (attempt === lockRetries || !conflicts.has((error as { code?: unknown }).code))
        throw error;
      await delay(200 + 800 * Math.random());
    }
  }
}

async function assertArchivable(database: Database, partition: Partition): Promise<void> {
  const { name, toId } = partition;
  const [clock] = await database.query<{ now: Date }>("SELECT now()");
  if (clock === undefined || timeOf(toId) > clock.now.getTime() - youngestMs) {
    throw new PartitionRefusedError(`The month "${name}" ended less than 31 days ago.`);
  }
  const [found] = await database.query<Readonly<Record<string, number>>>(
    `SELECT count(*) FILTER (WHERE completed_at IS NULL)::int AS "are unfinished",
            count(*) FILTER (WHERE redacted_at IS NULL)::int AS "have their request (set JOB_RETENTION_DAYS)",
            count(*) FILTER (WHERE has_files)::int AS "have image files"
       FROM (SELECT completed_at, redacted_at, EXISTS (
                      SELECT FROM render_${name} AS render JOIN image_${name} AS image ON render_id = render.id
                       WHERE generation_id = generation.id AND removed_at IS NULL) AS has_files
               FROM generation_${name} AS generation WHERE NOT (${isUsed})) AS job`,
  );
  const reasons = Object.entries(found ?? {}).filter(([, count]) => count > 0);
  if (reasons.length > 0) {
    const list = reasons.map(([reason, count]) => `${count} ${reason}`).join(", ");
    throw new PartitionRefusedError(
      `The month "${name}" has jobs that are not ready to be archived: ${list}.`,
    );
  }
  const [staying] = await database.query<{ count: number }>(
    `SELECT count(*)::int FROM generation_${name} WHERE ${isUsed}`,
  );
  if ((staying?.count ?? 0) > maxStaying) {
    throw new PartitionRefusedError(
      `Accounts use ${staying?.count} jobs of the month "${name}", more than ${maxStaying}.`,
    );
  }
}

/** Remembers the dossiers of a month, before its renders are gone. Those of jobs that stay do no harm. */
async function recordDossiers(sql: Sql, name: string): Promise<void> {
  await sql.query(
    `INSERT INTO archived_dossier (render_id, account_id, attempt)
     SELECT render.id, account_id, attempt
       FROM render_${name} AS render JOIN generation ON generation.id = generation_id
       JOIN mark ON mark.render_id = render.id AND dossier_attempt IS NOT NULL
     ON CONFLICT DO NOTHING`,
  );
}

async function detach(sql: Sql, { name, fromId, toId }: Partition): Promise<void> {
  await sql.query(shortLockWaits);
  await sql.query("SET LOCAL statement_timeout = 500");
  await sql.query(
    `LOCK TABLE ${partitionedTables.map((table) => table.name).join(", ")} IN ACCESS EXCLUSIVE MODE`,
  );
  for (const table of partitionedTables) {
    await sql.query(`ALTER TABLE ${table.name} DETACH PARTITION ${table.name}_${name}`);
  }
  const from = fromId ?? idAt(0);
  const used = await sql.query<{ id: string }>(`SELECT id FROM generation_${name} WHERE ${isUsed}`);
  const jobs = used.map(({ id }) => id);
  // Renders of jobs that stay or belong to another month; and those of detached jobs in the months beside it.
  const staying = await sql.query<{ id: string }>(
    `SELECT id FROM render_${name} WHERE generation_id = ANY ($1) OR generation_id < $2 OR generation_id >= $3`,
    [jobs, from, toId],
  );
  const late = await sql.query<{ id: string }>(
    ...lateRenders.bind({ jobs, from, to: toId, ...besides(fromId, toId) }),
  );
  const stayingIds = staying.map(({ id }) => id);
  const lateIds = late.map(({ id }) => id);
  const move = (table: string, condition: string, values: readonly unknown[], isLeaving: boolean) =>
    sql.query(
      `WITH moved AS (DELETE FROM ${table}${isLeaving ? "" : `_${name}`} WHERE ${condition} RETURNING *)
       INSERT INTO ${table}${isLeaving ? `_${name}` : ""} SELECT * FROM moved`,
      values,
    );
  await move("generation", "id = ANY ($1)", [jobs], false);
  await move("generation_search", "generation_id = ANY ($1)", [jobs], false);
  await move("render", "id = ANY ($1)", [stayingIds], false);
  await move("render", "id = ANY ($1)", [lateIds], true);
  for (const table of ["image", "moderation_decision"]) {
    await move(table, "render_id = ANY ($1)", [stayingIds], false);
    await move(table, "render_id = ANY ($1)", [lateIds], true);
  }
  await move(
    "provider_call",
    "render_id = ANY ($1) OR (render_id < $2 OR render_id >= $3) AND render_id <> ALL ($4)",
    [stayingIds, from, toId, lateIds],
    false,
  );
  await move(
    "provider_call",
    "id >= $1 AND id < $2 AND (render_id >= $3 AND render_id < $1 OR render_id = ANY ($4)) AND render_id <> ALL ($5)",
    [toId, idAt(timeOf(toId) + latestCallMs), from, lateIds, stayingIds],
    true,
  );
  await sql.query("INSERT INTO archived_partition (name, from_id, to_id) VALUES ($1, $2, $3)", [
    name,
    from,
    toId,
  ]);
  await sql.query(
    `INSERT INTO archived_spend (partition, key_id, charged_micro_eur, last_created_at)
     SELECT $1, key_id, sum(coalesce(charged_micro_eur, 0)), max(generation.created_at)
       FROM generation_${name} AS generation WHERE key_id IS NOT NULL GROUP BY key_id`,
    [name],
  );
}

/** Ids of the days before and after a month. */
function besides(fromId: string | null, toId: string) {
  const before = fromId === null ? idAt(0) : idAt(timeOf(fromId) - dayMs);
  return { before, after: idAt(timeOf(toId) + dayMs) };
}

const lateRenders = statement(
  ["jobs", "from", "to", "before", "after"],
  `SELECT id FROM render
    WHERE (id >= :to AND id < :after OR id >= :before AND id < :from)
      AND generation_id >= :from AND generation_id < :to AND generation_id <> ALL (:jobs)`,
);
