import { createDatabase } from "@atelier/database";
import { fillHistory, type Stack, type TestAccount } from "@atelier/testing";
import { openAccount } from "./bench-stack.ts";

export interface HistoryJob {
  readonly id: string;
  readonly account: TestAccount;
}

/**
 * Gives a stack a past whose images are still there to be signed for.
 *
 * @returns a sample of its jobs, from all over the table.
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
  // Not the stack's own: its statements may not take as long as an index of millions of rows.
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
  // As autovacuum would have left it, and with nothing left to write out while it is measured.
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

/** Any one of them. */
export function pickJob(jobs: readonly HistoryJob[]): HistoryJob {
  const job = jobs[Math.floor(Math.random() * jobs.length)];
  if (job === undefined) throw new Error("there are no jobs to pick from");
  return job;
}
