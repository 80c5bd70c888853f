import type { Database } from "@atelier/database";

/** A statement waits for rows of a table while its transaction has locked rows of others. */
export interface Wait {
  readonly waitsFor: string;
  readonly holds: readonly string[];
}

/**
 * Observes the order in which an operation locks rows, as Postgres runs it: with the rows of each table
 * locked in turn by another transaction, the operation waits there, and what it has locked before is found.
 * So it also sees the parts of one statement, triggers, and groups that share a transaction. References of
 * foreign keys are left out: they lock against deletion only.
 *
 * @param prepare makes what the operation changes, and returns the operation; called for each table.
 */
export async function observeLocks(
  database: Database,
  tables: readonly string[],
  prepare: () => Promise<() => Promise<unknown>>,
): Promise<readonly Wait[]> {
  const waits: Wait[] = [];
  for (const waitsFor of tables) {
    const operation = await prepare();
    let running: Promise<unknown> = Promise.resolve();
    await database.transaction(async (sql) => {
      await sql.query(`SELECT FROM ${waitsFor} FOR NO KEY UPDATE`);
      const [own] = await sql.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      const state = { isOver: false };
      running = operation().finally(() => {
        state.isOver = true;
      });
      // Its errors are thrown below.
      running.catch(() => undefined);
      const isWaiting = async () => {
        const waiting = await database.query(
          "SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))",
          [own?.pid],
        );
        return waiting.length > 0;
      };
      let hasWaited = false;
      while (!state.isOver && !hasWaited) hasWaited = await isWaiting();
      if (!hasWaited) return;
      const others = tables.filter((table) => table !== waitsFor);
      const locked = await Promise.all(
        others.map(async (table) => ((await hasLockedRows(database, table)) ? [table] : [])),
      );
      waits.push({ waitsFor, holds: locked.flat() });
    });
    await running;
  }
  return waits;
}

async function hasLockedRows(database: Database, table: string): Promise<boolean> {
  const [found] = await database.query<{ isLocked: boolean }>(
    `WITH free AS (SELECT FROM ${table} FOR NO KEY UPDATE SKIP LOCKED)
     SELECT (SELECT count(*) FROM ${table}) > (SELECT count(*) FROM free) AS "isLocked"`,
  );
  return found?.isLocked === true;
}
