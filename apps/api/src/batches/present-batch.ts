import type { Batch } from "@atelier/generations/batches";
import { formatEur, type BatchResponse, type GenerationError } from "@atelier/schemas";

/** Presents a batch. Lines that a stopped or cancelled batch did not accept end with it. */
export function presentBatch(batch: Batch): BatchResponse {
  const { linesTotal, linesTaken, linesRefused, jobsCompleted, jobsFailed, jobsCancelled } = batch;
  const ended = linesRefused + jobsCompleted + jobsFailed + jobsCancelled;
  const left = linesTotal - linesTaken;
  const isCancelled = batch.status === "cancelling" || batch.status === "cancelled";
  const isStopped = batch.error !== null && !isCancelled;
  return {
    id: batch.id,
    mode: batch.mode,
    status: batch.status,
    priority: "low",
    created_at: batch.createdAt.toISOString(),
    expires_at: batch.expiresAt.toISOString(),
    completed_at: batch.completedAt?.toISOString() ?? null,
    counts: {
      total: linesTotal,
      waiting: isCancelled || isStopped ? 0 : left,
      processing: linesTaken - ended,
      completed: jobsCompleted,
      failed: linesRefused + jobsFailed + (isStopped ? left : 0),
      cancelled: jobsCancelled + (isCancelled ? left : 0),
    },
    cost_eur: formatEur(batch.chargedMicroEur),
    waiting_for: batch.waitsFor === null ? null : presentError(batch.waitsFor),
    error: batch.error === null ? null : presentError(batch.error),
  };
}

/** The stored error of a wait has its beginning, too. */
function presentError({ error, message, details }: GenerationError) {
  return { error, message, details };
}
