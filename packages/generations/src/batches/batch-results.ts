import type { Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import { generationColumns, listedDetails, type FoundGeneration } from "../find.ts";

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
  const [jobs, refusals] = await Promise.all([
    sql.query<FoundGeneration & { readonly line: number }>(
      `SELECT batch_line AS line, ${listedDetails}, ${generationColumns} FROM generation g
        WHERE batch_id = $1 AND batch_line > $2 AND batch_line <= $3`,
      range,
    ),
    sql.query<{ line: number; error: GenerationError }>(
      "SELECT line, error FROM batch_refusal WHERE batch_id = $1 AND line > $2 AND line <= $3",
      range,
    ),
  ]);
  const accepted = jobs.map(({ line, ...generation }) => ({ line, generation }));
  return [...accepted, ...refusals].sort((a, b) => a.line - b.line);
}
