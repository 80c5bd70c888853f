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
 * foreign keys are left out: they lock against deletion only. Of an operation with several transactions, the one
 * that waits is observed, after the others.
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
        const [found] = await database.query<{ waiting: number; others: number }>(countOthers, [
          own?.pid,
        ]);
        const { waiting = 0, others = 0 } = found ?? {};
        if (waiting > 1) throw new Error(`Two transactions of the operation wait for ${waitsFor}`);
        return waiting === 1 && others === 0;
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

// A transaction of the operation that does not wait would add its locks to those of the one that does. One that
// waits for its first row has no number yet.
const countOthers = `
  SELECT count(*) FILTER (WHERE $1 = ANY (pg_blocking_pids(pid)))::int AS waiting,
         count(*) FILTER (WHERE pid <> $1 AND backend_xid IS NOT NULL
                            AND wait_event_type IS DISTINCT FROM 'Lock')::int AS others
    FROM pg_stat_activity
   WHERE datname = current_database() AND backend_type = 'client backend'`;

async function hasLockedRows(database: Database, table: string): Promise<boolean> {
  const [found] = await database.query<{ isLocked: boolean }>(
    `WITH free AS (SELECT FROM ${table} FOR NO KEY UPDATE SKIP LOCKED)
     SELECT (SELECT count(*) FROM ${table}) > (SELECT count(*) FROM free) AS "isLocked"`,
  );
  return found?.isLocked === true;
}
