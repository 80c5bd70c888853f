import type { Database } from "@atelier/database";

/** Counters of Postgres, since its start or per image. */
export interface Reading {
  readonly statements: number;
  /** Commits that waited until their WAL was on disk; exact while one client works alone. */
  readonly durableCommits: number;
  /** WAL in bytes, without the full pages that follow a checkpoint. */
  readonly walBytes: number;
  readonly fullPageBytes: number;
  /** Rows of the service, and of BullMQ in Postgres. */
  readonly rows: number;
  readonly queueRows: number;
  /** Updates of rows of the service, and those that changed no index (HOT). */
  readonly updates: number;
  readonly hotUpdates: number;
}

/** Position of the WAL, from which `readCosts` counts. */
export async function walPosition(database: Database): Promise<string> {
  const [row] = await database.query<{ lsn: string }>("SELECT pg_current_wal_lsn()::text AS lsn");
  return row?.lsn ?? "0/0";
}

/**
 * Reads counters. Processes report most of them when they end, so the load must have ended.
 *
 * @param since position of the WAL at the start.
 */
export async function readCosts(database: Database, since: string): Promise<Reading> {
  const [counters] = await database.query<Omit<Reading, "rows" | "queueRows">>(
    `WITH wal AS MATERIALIZED (
       SELECT sum(record_size)::float8 AS records, sum(fpi_size)::float8 AS pages
         FROM pg_get_wal_stats($1::pg_lsn, pg_current_wal_flush_lsn())
     ), changes AS (
       SELECT sum(n_tup_upd)::float8 AS updates, sum(n_tup_hot_upd)::float8 AS hot
         FROM pg_stat_user_tables WHERE schemaname = 'public'
     )
     SELECT (SELECT sum(calls)::float8 FROM pg_stat_statements JOIN pg_database ON oid = dbid
              WHERE datname = current_database()) AS statements,
            (SELECT sum(fsyncs)::float8 FROM pg_stat_io
              WHERE object = 'wal' AND backend_type = 'client backend') AS "durableCommits",
            records AS "walBytes", pages AS "fullPageBytes",
            updates, hot AS "hotUpdates"
       FROM wal, changes`,
    [since],
  );
  if (counters === undefined) throw new Error("Postgres returned no counters");
  return {
    ...counters,
    rows: await countRows(database, "public"),
    queueRows: await countRows(database, "bullmq"),
  };
}

async function countRows(database: Database, schema: string): Promise<number> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1`,
    [schema],
  );
  let rows = 0;
  for (const { name } of tables) {
    const [count] = await database.query<{ rows: number }>(
      `SELECT count(*)::float8 AS rows FROM ${name}`,
    );
    rows += count?.rows ?? 0;
  }
  return rows;
}
