import type { Sql } from "@atelier/database";
import type { BatchRecord } from "./batches.ts";

/** A batch as the database has it. */
export interface StoredBatch {
  readonly id: string;
  readonly accountId: string;
  readonly key: string;
  readonly linesTotal: number;
  readonly completedAt: Date | null;
  readonly lines: readonly StoredLine[];
}

/** A line that became a job or was refused. */
export interface StoredLine {
  readonly line: number;
  /** Null for a line that was refused. */
  readonly jobId: string | null;
  /** The status of the job, or `failed`. */
  readonly status: string;
}

/** Maximum time from the end of a batch until a polling client sees it, during any fault. */
const maxDelayMs = 60_000;

/** Reads all batches with their lines in order. */
export function readBatches(sql: Sql): Promise<readonly StoredBatch[]> {
  return sql.query<StoredBatch>(
    `SELECT batch.id, account_id AS "accountId", idempotency_key AS key, lines_total AS "linesTotal",
            completed_at AS "completedAt",
            coalesce((
              SELECT jsonb_agg(jsonb_build_object('line', line, 'jobId', job_id, 'status', status) ORDER BY line)
                FROM (
                  SELECT batch_line AS line, id AS job_id, status::text FROM generation
                   WHERE batch_id = batch.id
                  UNION ALL
                  SELECT line, NULL, 'failed' FROM batch_refusal WHERE batch_id = batch.id
                ) AS line_of_batch), '[]') AS lines
       FROM batch`,
  );
}

/**
 * Compares what clients know of their batches with the database, after all jobs are final: each request made
 * one batch, each line of it was taken once, and the results that the client received have every line, as it is
 * recorded. Only the last line may be refused.
 *
 * @returns one line for each violation, and the number of clients that gave up before they could know.
 */
export function judgeBatches(
  records: readonly BatchRecord[],
  stored: readonly StoredBatch[],
): { readonly wrong: readonly string[]; readonly timeouts: number } {
  const wrong: string[] = [];
  let timeouts = 0;
  const byKey = Map.groupBy(stored, ({ accountId, key }) => `${accountId} ${key}`);
  for (const record of records) {
    const made = byKey.get(`${record.accountId} ${record.key}`) ?? [];
    byKey.delete(`${record.accountId} ${record.key}`);
    const [batch] = made;
    const isLost = record.id !== null && record.id !== batch?.id;
    if (made.length > 1 || isLost || (batch !== undefined && batch.linesTotal !== record.lines)) {
      wrong.push(`The request ${record.key} for ${record.lines} lines made ${show(made)}.`);
    } else if (batch !== undefined) {
      wrong.push(...judgeLines(batch));
      if (record.results !== null) wrong.push(...judgeResults(record.results, batch));
    }
    if (record.results !== null) continue;
    timeouts += 1;
    const waitedMs = record.stoppedAt - (batch?.completedAt?.getTime() ?? record.stoppedAt);
    if (waitedMs > maxDelayMs) {
      wrong.push(
        `A client did not get the results of batch ${batch?.id} within ${Math.round(waitedMs / 1_000)} s: ${record.last}.`,
      );
    }
  }
  for (const made of byKey.values()) wrong.push(`No client asked for ${show(made)}.`);
  return { wrong, timeouts };
}

function judgeLines({ id, linesTotal, completedAt, lines }: StoredBatch): string[] {
  if (completedAt === null) return [`The batch ${id} has not ended.`];
  const positions = lines.map(({ line }) => line);
  const expected = Array.from({ length: linesTotal }, (_, index) => index + 1);
  if (String(positions) !== String(expected)) {
    return [`The batch ${id} of ${linesTotal} lines took the lines ${positions.join()}.`];
  }
  const refused = lines.filter(({ jobId }) => jobId === null).map(({ line }) => line);
  if (String(refused) === String([linesTotal])) return [];
  return [`The batch ${id} of ${linesTotal} lines refused the lines ${refused.join()}.`];
}

function judgeResults(
  results: NonNullable<BatchRecord["results"]>,
  { id, lines }: StoredBatch,
): string[] {
  const received = results.map(({ line, job_id, status }) => `${line} ${job_id} ${status}`);
  const recorded = lines.map(({ line, jobId, status }) => `${line} ${jobId} ${status}`);
  if (received.join() === recorded.join()) return [];
  return [`The results of batch ${id} were ${received.join()} instead of ${recorded.join()}.`];
}

function show(batches: readonly StoredBatch[]): string {
  if (batches.length === 0) return "no batch";
  return batches.map(({ id, linesTotal }) => `batch ${id} of ${linesTotal} lines`).join(" and ");
}
