import { statement, type Sql } from "@atelier/database";

/** A run of a worker. */
export interface WorkerRun {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly lanes: readonly string[];
}

/** A worker whose last heartbeat is older has missed three of them. */
const silentAfter = "100 seconds";

/** Most workers that are read, the newest first. */
const maxWorkers = 500;

/** Records that a worker runs. Workers repeat it twice a minute. */
export async function announceWorker(sql: Sql, worker: WorkerRun): Promise<void> {
  await sql.query(...upsert.bind({ ...worker }));
}

const upsert = statement(
  ["id", "host", "version", "lanes"],
  `INSERT INTO worker (id, host, version, lanes) VALUES (:id, :host, :version, :lanes::text[])
   ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
);

/** Removes a worker that stops. */
export async function removeWorker(sql: Sql, id: string): Promise<void> {
  await sql.query("DELETE FROM worker WHERE id = $1", [id]);
}

/** Removes the workers that were killed more than a day ago. */
export async function forgetSilentWorkers(sql: Sql): Promise<void> {
  await sql.query("DELETE FROM worker WHERE seen_at < now() - interval '1 day'");
}

/** Reads the workers that run, and those that were killed in the last day. */
export function readWorkers(
  sql: Sql,
): Promise<(WorkerRun & { startedAt: Date; seenAt: Date; isSilent: boolean })[]> {
  return sql.query(
    `SELECT id, host, version, lanes, started_at AS "startedAt", seen_at AS "seenAt",
            seen_at < now() - interval '${silentAfter}' AS "isSilent"
       FROM worker ORDER BY id DESC LIMIT ${maxWorkers}`,
  );
}
