import { readTakenLines, type Batch, type TakenLine } from "@atelier/generations";
import { isFinal } from "@atelier/generations";
import { presentResult } from "@atelier/presentation";
import type { BatchResult } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";
import { signWith } from "../generations/sign.ts";

/** Lines that are read and held in memory at once. */
const pageSize = 100;

/**
 * Reads the lines of a batch that have ended, in their order.
 *
 * @param charge called for each page.
 */
export async function* readResults(
  batch: Batch,
  charge: () => Promise<void>,
  dependencies: ApiDependencies,
): AsyncGenerator<BatchResult> {
  const { database } = dependencies;
  for (let afterLine = 0; afterLine < batch.linesTaken; afterLine += pageSize) {
    await charge();
    const lines = await readTakenLines(database, {
      batchId: batch.id,
      afterLine,
      limit: Math.min(pageSize, batch.linesTaken - afterLine),
    });
    for (const line of lines) {
      const result = await presentLine(line, dependencies);
      if (result !== null) yield result;
    }
  }
  yield* resultsOfUntaken(batch);
}

/** Presents a line; null while its job is unfinished. */
async function presentLine(
  taken: TakenLine,
  dependencies: ApiDependencies,
): Promise<BatchResult | null> {
  const { line } = taken;
  if ("error" in taken) {
    return { line, status: "failed", job_id: null, result: null, error: taken.error };
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
