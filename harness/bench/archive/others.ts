import type { Database } from "@atelier/database";
import { percentile } from "../../shared/statistics.ts";

/** Durations of the statements of other clients. */
export interface Waits {
  readonly statements: number;
  readonly p95Ms: number;
  readonly p999Ms: number;
  readonly slowestMs: number;
}

const statements = [
  "SELECT request FROM generation WHERE id = $1",
  "SELECT count(*) FROM render JOIN image ON render_id = render.id WHERE generation_id = $1",
  "UPDATE generation SET title = NULL WHERE id = $1",
  "UPDATE image SET deleted_at = deleted_at WHERE render_id = (SELECT id FROM render WHERE generation_id = $1)",
];

const pauseMs = 5;

/** Runs two reads and two writes of random jobs in loops, each on a connection of its own, while `work` runs. */
export async function measureOthers(
  database: Database,
  jobIds: readonly string[],
  work: () => Promise<unknown>,
): Promise<Waits> {
  const times: number[] = [];
  const done = new AbortController();
  const loops = statements.map(async (text) => {
    while (!done.signal.aborted) {
      const startedAt = performance.now();
      await database.query(text, [jobIds[Math.floor(Math.random() * jobIds.length)]]);
      times.push(performance.now() - startedAt);
      await new Promise((resume) => setTimeout(resume, pauseMs));
    }
  });
  try {
    await work();
  } finally {
    done.abort();
  }
  await Promise.all(loops);
  return {
    statements: times.length,
    p95Ms: percentile(times, 0.95),
    p999Ms: percentile(times, 0.999),
    slowestMs: times.reduce((slowest, time) => Math.max(slowest, time), 0),
  };
}

/** The position in the write-ahead log, in bytes. */
export async function readWal(database: Database): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes",
  );
  return row?.bytes ?? 0;
}
