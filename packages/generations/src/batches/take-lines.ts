import { jsonText, statement, type Sql } from "@atelier/database";
import type { GenerationError } from "@atelier/schemas";
import { isNextLine, type BatchLine } from "./batch-line.ts";

/** The line was taken by another process, or its batch takes no further line. */
export class LineTakenError extends Error {
  override readonly name = "LineTakenError";

  constructor({ id, line }: BatchLine) {
    super(`line ${line} of batch ${id} is not the next one`);
  }
}

/** @throws LineTakenError unless the line is the next one of its batch. */
export async function assertNextLine(sql: Sql, batchLine: BatchLine): Promise<void> {
  const next = await sql.query(`SELECT FROM batch WHERE id = $1 AND ${isNextLine("$2")}`, [
    batchLine.id,
    batchLine.line,
  ]);
  if (next.length === 0) throw new LineTakenError(batchLine);
}

/**
 * Records that the next line of a batch is refused.
 *
 * @throws LineTakenError when it is not the next line.
 */
export async function refuseLine(
  sql: Sql,
  batchLine: BatchLine,
  error: GenerationError,
): Promise<void> {
  const { id, line } = batchLine;
  const refused = await sql.query(...refuse.bind({ id, line, error: jsonText(error) }));
  if (refused.length === 0) throw new LineTakenError(batchLine);
}

const refuse = statement(
  ["id", "line", "error"],
  `WITH taken AS (
     UPDATE batch SET lines_taken = :line, lines_refused = lines_refused + 1, waits_for = NULL
      WHERE id = :id AND ${isNextLine(":line::int")}
     RETURNING id
   )
   INSERT INTO batch_refusal (batch_id, line, error)
   SELECT id, :line, :error::jsonb FROM taken RETURNING line`,
);

/** Consecutive lines of a batch. */
export interface RequestPart {
  /** Position of its first line in the batch, from 1. */
  readonly firstLine: number;
  readonly lines: Uint8Array;
}

/** Reads the part of a batch that has a line. */
export async function readPart(sql: Sql, { id, line }: BatchLine): Promise<RequestPart> {
  const [part] = await sql.query<RequestPart>(
    `SELECT first_line AS "firstLine", lines FROM request_part
      WHERE owner_id = $1 AND first_line <= $2 ORDER BY first_line DESC LIMIT 1`,
    [id, line],
  );
  if (part === undefined) throw new Error(`batch ${id} has no part with line ${line}`);
  return part;
}

/** Deletes the parts of a batch of which all lines were taken. */
export async function forgetTakenParts(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `DELETE FROM request_part
      WHERE owner_id = $1 AND last_line <= (SELECT lines_taken FROM batch WHERE id = $1)`,
    [id],
  );
}
