import type pg from "pg";

/**
 * Tables of the jobs in Postgres, those with foreign keys before the table that they refer to. The tables
 * with the version of the schema and the settings of the queues stay logged.
 */
const tables = ["job_log", "job_dependency", "event", "rate_limit", "job"];

/** lock_not_available */
const lockTimedOut = "55P03";

/**
 * Makes the tables of the queue in Postgres unlogged: they write no WAL, and a crash of Postgres empties
 * them, after which recovery adds the renders again. Rewrites a table that is logged, of an installation of
 * version 0.2 or earlier, while other processes use it; one that is locked, such as by a backup, stays
 * logged until a later start. Safe when several processes do it at once.
 */
export async function makeUnlogged(client: pg.Client, schema: string): Promise<void> {
  await client.query("SET lock_timeout = '1s'");
  for (const table of tables) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', nspname, relname) AS name
         FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = $1 AND relname = $2 AND relpersistence = 'p'`,
      [schema, table],
    );
    const [logged] = rows;
    if (logged === undefined) continue;
    try {
      await client.query(`ALTER TABLE ${logged.name} SET UNLOGGED`);
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockTimedOut) throw error;
      return;
    }
  }
}
