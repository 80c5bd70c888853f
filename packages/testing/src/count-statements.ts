import type { Database, Sql } from "@atelier/database";
import { vi } from "vitest";

/** Counts the statements that run over a database, and waits for those that are running. */
export function countStatements(database: Database) {
  let count = 0;
  const running = new Set<Promise<unknown>>();
  const track = <Result>(work: Promise<Result>): Promise<Result> => {
    const ended = work.catch(() => undefined).finally(() => running.delete(ended));
    running.add(ended);
    return work;
  };
  const counted = (sql: Sql): Sql => ({
    query(text, values) {
      count++;
      return track(sql.query(text, values));
    },
  });
  const counting: Database = {
    ...database,
    ...counted(database),
    repeatable: counted(database.repeatable),
    transaction(work) {
      count += 2;
      return track(database.transaction((sql) => work(counted(sql))));
    },
  };
  return {
    database: counting,
    count: () => count,
    async settle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The statements per second of ten minutes without work, after the first minute, by a fake clock. */
export async function statementsPerSecond(
  counting: ReturnType<typeof countStatements>,
): Promise<number> {
  const advance = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      await counting.settle();
    }
  };
  await advance(60);
  const before = counting.count();
  await advance(600);
  return (counting.count() - before) / 600;
}
