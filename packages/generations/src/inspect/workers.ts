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

/** A worker that runs, or was killed in the last day. */
export interface SeenWorker extends WorkerRun {
  readonly startedAt: Date;
  /** Its last heartbeat. */
  readonly seenAt: Date;
  readonly isSilent: boolean;
}

/** Reads the workers that run, and those that were killed in the last day. */
export function readWorkers(sql: Sql): Promise<SeenWorker[]> {
  return sql.query(
    `SELECT id, host, version, lanes, started_at AS "startedAt", seen_at AS "seenAt",
            seen_at < now() - interval '${silentAfter}' AS "isSilent"
       FROM worker ORDER BY id DESC LIMIT ${maxWorkers}`,
  );
}

/**
 * Finds the workers that took the places of silent ones: each began after the last heartbeat of the other and serves
 * all of its lanes. One on the same host is preferred, and each takes one place.
 *
 * @returns the ids of the workers by those of the silent ones; without those that nothing replaced.
 */
export function findReplacements(workers: readonly SeenWorker[]): ReadonlyMap<string, string> {
  const free = new Set(workers.toSorted((one, other) => +one.startedAt - +other.startedAt));
  const found = new Map<string, string>();
  const silent = workers.filter(({ isSilent }) => isSilent);
  for (const worker of silent.toSorted((one, other) => +one.seenAt - +other.seenAt)) {
    const later = [...free].filter(
      ({ startedAt, lanes }) =>
        startedAt > worker.seenAt && worker.lanes.every((lane) => lanes.includes(lane)),
    );
    const next = later.find(({ host }) => host === worker.host) ?? later[0];
    if (next === undefined) continue;
    free.delete(next);
    found.set(worker.id, next.id);
  }
  return found;
}
