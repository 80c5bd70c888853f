import { createDatabase } from "@atelier/database";
import { fillHistory, type Stack, type TestAccount } from "@atelier/testing";
import { openAccount } from "./bench-stack.ts";

export interface HistoryJob {
  readonly id: string;
  readonly account: TestAccount;
}

/**
 * Adds completed jobs with signable images to a stack.
 *
 * @returns a sample of the jobs from the whole table.
 */
export async function fillStack(
  {
    stack,
    accounts,
    generations,
  }: {
    readonly stack: Stack;
    readonly accounts: number;
    readonly generations: number;
  },
  onProgress?: (done: number) => void,
): Promise<readonly HistoryJob[]> {
  // A separate connection, because the stack's statement timeout is too short for indexing millions
  // of rows.
  const database = createDatabase({
    url: stack.environment["DATABASE_URL"] ?? "",
    poolSize: 3,
    applicationName: "bench",
    statementTimeoutMs: 3_600_000,
  });
  const accountIds = await fillHistory(database, {
    accounts,
    generations,
    imagesKept: true,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  // As after autovacuum, and with no pending writes during the measurement.
  await database.query("VACUUM ANALYZE");
  await database.query("CHECKPOINT");
  const opened = new Map<string, TestAccount>();
  for (const id of accountIds) opened.set(id, await openAccount(stack, id));
  const percent = Math.min(100, (sampleSize * 200) / generations);
  const rows = await database.query<{ id: string; accountId: string }>(
    `SELECT id, account_id AS "accountId"
       FROM generation TABLESAMPLE SYSTEM (${percent}) ORDER BY random() LIMIT ${sampleSize}`,
  );
  await database.close();
  return rows.flatMap(({ id, accountId }) => {
    const account = opened.get(accountId);
    return account === undefined ? [] : [{ id, account }];
  });
}

const sampleSize = 2_000;

/** Returns a random job. */
export function pickJob(jobs: readonly HistoryJob[]): HistoryJob {
  const job = jobs[Math.floor(Math.random() * jobs.length)];
  if (job === undefined) throw new Error("there are no jobs to pick from");
  return job;
}
