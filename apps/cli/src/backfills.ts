import type { Database } from "@atelier/database";
import { readBackfills, type BackfillProgress } from "@atelier/generations/retention";
import { table, type Answer } from "./answer.ts";

/** Lists the backfills of this version, which workers run in the background. */
export async function listBackfills(database: Database): Promise<Answer> {
  const backfills = await readBackfills(database);
  const rows = backfills.map((progress) => [
    progress.name,
    describe(progress),
    `${progress.rowsDone} of about ${progress.rowsTotal}`,
  ]);
  return {
    json: backfills.map(({ name, rowsDone, rowsTotal, startedAt, finishedAt }) => ({
      name,
      rows_done: rowsDone,
      rows_total: rowsTotal,
      started_at: startedAt,
      finished_at: finishedAt,
    })),
    text: table(["BACKFILL", "STATE", "ROWS"], rows),
  };
}

function describe({ startedAt, finishedAt, rowsDone, rowsTotal }: BackfillProgress): string {
  if (finishedAt !== null) return "done";
  if (startedAt === null) return "waits for a worker";
  return `running, ${rowsTotal === 0 ? 0 : Math.floor((100 * rowsDone) / rowsTotal)} %`;
}
