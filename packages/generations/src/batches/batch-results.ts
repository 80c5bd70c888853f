import type { Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import type { Batch } from "./batches.ts";
import {
  completeRows,
  listedRequest,
  resultColumns,
  type FoundGeneration,
  type ResultRow,
} from "../jobs/find.ts";

/** A line of a batch that was taken. */
export type TakenLine =
  | { readonly line: number; readonly generation: FoundGeneration }
  | { readonly line: number; readonly error: GenerationError }
  /** The job of an ended batch that was archived since. */
  | { readonly line: number; readonly isArchived: true };

/** Reads the lines of a batch after one that were taken, in their order. */
export async function readTakenLines(
  sql: Sql,
  batch: Pick<Batch, "id" | "linesTaken" | "completedAt">,
  page: { readonly afterLine: number; readonly limit: number },
): Promise<readonly TakenLine[]> {
  const { linesTaken } = batch;
  const isEnded = batch.completedAt !== null;
  const { afterLine, limit } = page;
  const range = [batch.id, afterLine, afterLine + limit];
  const [jobs, refusals] = await Promise.all([
    sql.query<ResultRow & { readonly line: number }>(
      `SELECT batch_line AS line, ${listedRequest}, ${resultColumns} FROM generation g
        WHERE batch_id = $1 AND batch_line > $2 AND batch_line <= $3`,
      range,
    ),
    sql.query<{ line: number; error: GenerationError }>(
      "SELECT line, error FROM batch_refusal WHERE batch_id = $1 AND line > $2 AND line <= $3",
      range,
    ),
  ]);
  const accepted = (await completeRows(sql, jobs, null)).map(({ line, ...generation }) => ({
    line,
    generation,
  }));
  const taken = new Map<number, TakenLine>(
    [...accepted, ...refusals].map((line) => [line.line, line]),
  );
  const last = Math.min(afterLine + limit, linesTaken);
  const lines = Array.from({ length: last - afterLine }, (_, index) => afterLine + index + 1);
  return lines.flatMap(
    (line) => taken.get(line) ?? (isEnded ? [{ line, isArchived: true as const }] : []),
  );
}
