import { findOverdue } from "@atelier/generations/claims";
import { AccountBusyError, failGeneration, passedDeadline } from "@atelier/generations/endings";
import type { GenerationError } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";

/** Rows that recovery reads at once. */
export const batch = 200;

/** Bounds a round of recovery when much is due. */
export const batchesPerRound = 5;

/**
 * One round: fails unfinished generations past their deadline. An account whose row stays locked is left
 * to the next round, so that its jobs do not delay those of others.
 */
export async function enforceDeadlines(
  dependencies: Pick<RenderDependencies, "database" | "logger" | "metrics">,
): Promise<void> {
  const busyAccounts = new Set<string>();
  for (let batches = 0; batches < batchesPerRound; batches++) {
    const options = { limit: batch, exceptAccounts: [...busyAccounts] };
    const overdue = await findOverdue(dependencies.database, options);
    let done = 0;
    for (const generation of overdue) {
      if (busyAccounts.has(generation.accountId)) continue;
      const outcome = await failOverdue(generation, dependencies);
      if (outcome === "busy") busyAccounts.add(generation.accountId);
      if (outcome !== "remains") done++;
    }
    // Without a change, the next batch would be the same one.
    if (overdue.length < batch || done === 0) break;
  }
}

/** @returns `busy` when its account stays locked, `remains` when it is locked itself or the attempt failed. */
async function failOverdue(
  { generationId, lastError }: { generationId: string; lastError: GenerationError | null },
  { database, logger, metrics }: Pick<RenderDependencies, "database" | "logger" | "metrics">,
): Promise<"failed" | "busy" | "remains"> {
  const error = lastError ?? passedDeadline;
  try {
    if (!(await failGeneration(database, { generationId, claim: null, error }))) return "remains";
  } catch (cause) {
    if (cause instanceof AccountBusyError) return "busy";
    // Continue with the other generations when one cannot be failed now.
    logger.error({ err: cause, generationId }, "overdue generation could not be failed");
    return "remains";
  }
  metrics.generationEnded("failed");
  logger.error({ generationId, code: error.error }, "generation passed its deadline");
  return "failed";
}
