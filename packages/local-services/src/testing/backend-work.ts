/** Counts of Postgres of what a connection has read and written since it was opened. */
export interface BackendWork {
  readonly walRecords: number;
  readonly walBytes: number;
  /** Pages that it looked at, in memory or not. */
  readonly buffers: number;
}

interface Sql {
  query<Row extends object>(text: string): Promise<Row[]>;
}

/** Reads the work of a connection, with what triggers did at the ends of its transactions. @param sql with one connection. */
async function readBackendWork(sql: Sql): Promise<BackendWork> {
  // The counts of a transaction are added after its end.
  await sql.query("SELECT pg_stat_force_next_flush()");
  const [work] = await sql.query<BackendWork>(
    `SELECT wal_records::float8 AS "walRecords", wal_bytes::float8 AS "walBytes",
            (SELECT sum(hits + reads)::float8 FROM pg_stat_get_backend_io(pg_backend_pid())
              WHERE object = 'relation') AS buffers
       FROM pg_stat_get_backend_wal(pg_backend_pid())`,
  );
  if (work === undefined) throw new Error("Postgres counts the work of each connection");
  return work;
}

/** Returns the mean work of some runs. @param runs how often `run` runs, one after another. */
export async function workPerRun(
  sql: Sql,
  runs: number,
  run: () => Promise<unknown>,
): Promise<BackendWork> {
  const before = await readBackendWork(sql);
  for (let done = 0; done < runs; done++) await run();
  const after = await readBackendWork(sql);
  const mean = (name: keyof BackendWork) => (after[name] - before[name]) / runs;
  return { walRecords: mean("walRecords"), walBytes: mean("walBytes"), buffers: mean("buffers") };
}
