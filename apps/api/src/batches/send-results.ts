import { readTakenLines, type Batch, type TakenLine } from "@atelier/generations/batches";
import { isFinal } from "@atelier/generations/jobs";
import { presentResult } from "@atelier/presentation";
import type { BatchResult, GenerationError } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import { signWith } from "../generations/answer/sign.ts";

/** Lines that are read and held in memory at once. */
const pageSize = 100;

/**
 * Reads lines of a batch that were taken, in their order.
 *
 * @param range the line before the first one, and the number of lines.
 * @param charge called for each page.
 */
export async function* readLines(
  batch: Batch,
  range: { readonly afterLine: number; readonly limit: number },
  charge: () => Promise<void>,
  { database }: Needs<"database">,
): AsyncGenerator<TakenLine> {
  const end = Math.min(range.afterLine + range.limit, batch.linesTaken);
  for (let { afterLine } = range; afterLine < end; afterLine += pageSize) {
    await charge();
    const limit = Math.min(pageSize, end - afterLine);
    yield* await readTakenLines(database, batch, { afterLine, limit });
  }
}

/**
 * Reads the lines of a batch that have ended, in their order.
 *
 * @param charge called for each page.
 */
export async function* readResults(
  batch: Batch,
  charge: () => Promise<void>,
  dependencies: Needs<"config" | "database" | "storage">,
): AsyncGenerator<BatchResult> {
  const range = { afterLine: 0, limit: batch.linesTaken };
  for await (const line of readLines(batch, range, charge, dependencies)) {
    const result = await presentLine(line, dependencies);
    if (result !== null) yield result;
  }
  yield* resultsOfUntaken(batch);
}

const archivedLine: GenerationError = {
  error: "job_not_found",
  message: "The job of this line was archived. Export the account for its record.",
  details: null,
};

/** Presents a line; null while its job is unfinished. */
async function presentLine(
  taken: TakenLine,
  dependencies: Needs<"config" | "storage">,
): Promise<BatchResult | null> {
  const { line } = taken;
  if ("error" in taken) {
    return { line, status: "failed", job_id: null, result: null, error: taken.error };
  }
  if ("isArchived" in taken) {
    return { line, status: "archived", job_id: null, result: null, error: archivedLine };
  }
  const { generation } = taken;
  const { id, status, error } = generation;
  if (!isFinal(generation) || status === "pending" || status === "processing") return null;
  const result =
    status === "completed" ? await presentResult(generation, signWith(dependencies)) : null;
  return { line, status, job_id: id, result, error };
}

/** The lines that a final batch did not accept. */
function* resultsOfUntaken(batch: Batch): Generator<BatchResult> {
  const { status, error, linesTaken, linesTotal } = batch;
  if (status !== "failed" && status !== "cancelled") return;
  for (let line = linesTaken + 1; line <= linesTotal; line += 1) {
    yield {
      line,
      status,
      job_id: null,
      result: null,
      error: status === "failed" ? error : null,
    };
  }
}
