import { statement, type Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import {
  generationColumns,
  listedDetails,
  withReferences,
  type FoundGeneration,
  type ReadGeneration,
} from "../find.ts";
import { idAt, timeOf } from "../id-range.ts";

/** A line of a batch that was taken. */
export type TakenLine =
  | { readonly line: number; readonly generation: FoundGeneration }
  | { readonly line: number; readonly error: GenerationError };

/** Reads the lines of a batch after one that were taken, in their order. */
export async function readTakenLines(
  sql: Sql,
  page: { readonly batchId: string; readonly afterLine: number; readonly limit: number },
): Promise<readonly TakenLine[]> {
  const { batchId, afterLine, limit } = page;
  const range = [batchId, afterLine, afterLine + limit];
  const requestedAt = timeOf(batchId);
  const [rows, refusals] = await Promise.all([
    sql.query<ReadGeneration & { readonly line: number }>(
      ...readLines.bind({
        batchId,
        afterLine,
        lastLine: afterLine + limit,
        from: idAt(requestedAt - dayMs),
        to: idAt(requestedAt + longestBatchMs),
      }),
    ),
    sql.query<{ line: number; error: GenerationError }>(
      "SELECT line, error FROM batch_refusal WHERE batch_id = $1 AND line > $2 AND line <= $3",
      range,
    ),
  ]);
  const jobs = await withReferences(sql, rows);
  const accepted = jobs.map(({ line, ...generation }) => ({ line, generation }));
  return [...accepted, ...refusals].sort((a, b) => a.line - b.line);
}

const dayMs = 86_400_000;

/** From the request of a batch until its last job is accepted. */
const longestBatchMs = 31 * dayMs;

const readLines = statement(
  ["batchId", "afterLine", "lastLine", "from", "to"],
  `SELECT batch_line AS line, ${listedDetails}, ${generationColumns({ from: ":from", to: ":to" })} FROM generation g
    WHERE batch_id = :batchId AND batch_line > :afterLine AND batch_line <= :lastLine
      AND g.id >= :from AND g.id < :to`,
);
