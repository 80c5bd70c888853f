import type { Database, Sql } from "@atelier/database";
import { idAt, timeOf } from "../id-range.ts";
import { nameOfMonth, partitionedTables, readPartitions } from "./partitioned-tables.ts";

/** Months that exist after the current one. */
const monthsAhead = 3;

/**
 * Creates the partitions of the coming months, so that no row has to go to the partition for all other rows.
 * Each month is one transaction, which waits for locks briefly: readers and writers wait behind it.
 *
 * @returns the names of the new months.
 */
export async function createPartitions(database: Database): Promise<string[]> {
  const [clock] = await database.query<{ now: Date }>("SELECT now()");
  const lastMonth = startOfMonth((clock?.now ?? new Date()).getTime(), monthsAhead);
  const partitions = await readPartitions(database);
  const created: string[] = [];
  let from = timeOf(partitions.at(-1)?.toId ?? idAt(Number.MAX_SAFE_INTEGER));
  while (from <= lastMonth) {
    const to = startOfMonth(from, 1);
    await createMonth(database, from, to);
    created.push(nameOfMonth(from));
    from = to;
  }
  return created;
}

/** The start of a month in UTC, so many months after that of a time. */
function startOfMonth(time: number, later: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

function createMonth(database: Database, from: number, to: number): Promise<void> {
  return database.transaction(async (sql) => {
    await sql.query(shortLockWaits);
    for (const table of partitionedTables) {
      const partition = `${table.name}_${nameOfMonth(from)}`;
      await sql.query(`CREATE TABLE ${partition} (LIKE ${table.name}_rest INCLUDING ALL)`);
      await moveFromRest(sql, table, partition, [idAt(from), idAt(to)]);
      await sql.query(
        `ALTER TABLE ${table.name} ATTACH PARTITION ${partition} FOR VALUES FROM ('${idAt(from)}') TO ('${idAt(to)}')`,
      );
    }
  });
}

/** Time to wait for a lock of one table. Six tables are locked, and all of it must take less than a second. */
export const shortLockWaits = "SET LOCAL lock_timeout = 100";

/** Moves rows of a month that had no partition. Rows that an older clock wrote are few. */
async function moveFromRest(
  sql: Sql,
  { name, key }: (typeof partitionedTables)[number],
  partition: string,
  [from, to]: readonly [string, string],
): Promise<void> {
  const isWithin = `${key} >= '${from}' AND ${key} < '${to}'`;
  const [found] = await sql.query(`SELECT FROM ${name}_rest WHERE ${isWithin} LIMIT 1`);
  if (found === undefined) return;
  // A statement that was planned before would look for the rows where they are no more.
  await sql.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
  await sql.query(
    `WITH moved AS (DELETE FROM ${name}_rest WHERE ${isWithin} RETURNING *)
     INSERT INTO ${partition} SELECT * FROM moved`,
  );
}
