import { type Claim, type Dispatch, findNextInLine } from "@atelier/generations/claims";
import { withTraceParent } from "@atelier/telemetry";
import type { RenderDependencies } from "../dependencies.ts";

/** Queues the next renders of a generation that are ready. On failure, recovery queues them later. */
export async function dispatchNext(
  ready: readonly Dispatch[],
  { generationId }: Claim,
  { queues, logger }: Pick<RenderDependencies, "queues" | "logger">,
): Promise<void> {
  await queues.dispatch(ready).catch((error: unknown) => {
    logger.warn({ err: error, generationId }, "dispatch failed, left to recovery");
  });
}

/**
 * Raises the priority of the account's next render in the lane after one has ended that is not of a batch. Called
 * before the lane takes its next queue entry. On failure, recovery updates the priority later.
 */
export async function moveUpNext(
  { accountId, lane, isInBatch }: Claim,
  { database, queues, logger }: Pick<RenderDependencies, "database" | "queues" | "logger">,
): Promise<void> {
  if (isInBatch) return;
  try {
    const next = await findNextInLine(database.repeatable, { accountId, lane });
    if (next === null) return;
    await withTraceParent(next.traceParent, () => queues.ensureDispatched(next));
  } catch (error) {
    logger.warn({ err: error, accountId, lane }, "priorities not updated, left to recovery");
  }
}
