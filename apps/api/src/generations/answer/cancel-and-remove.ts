import { cancelGeneration, jobNotFound } from "@atelier/generations/endings";
import { findGeneration, type Owner } from "@atelier/generations/jobs";
import type { Needs } from "../../dependencies.ts";

export type CancelDependencies = Needs<
  "accountGate" | "database" | "logger" | "metrics" | "parts" | "queues"
>;

/**
 * Cancels a generation and removes its renders from the queue. When some of several images are in
 * progress, a worker cancels it once they are done.
 *
 * @returns whether the generation is now cancelled.
 * @throws AppError `job_not_found` or `job_not_cancellable`.
 */
export async function cancelAndRemove(
  target: Owner & { readonly generationId: string },
  requestId: string,
  { database, accountGate, queues, parts, metrics, logger }: CancelDependencies,
): Promise<boolean> {
  // A key may be limited to its own jobs or its mode, while `cancelGeneration` checks the account alone.
  const isLimited = target.keyId != null || target.mode != null;
  if (isLimited && (await findGeneration(database, target)) === null) throw jobNotFound();
  const cancellation = await accountGate.run(target.accountId, () =>
    cancelGeneration(database, target),
  );
  if (cancellation.kind === "requested") return false;
  metrics.jobCancelled();
  // Not required: a worker that receives one of its queue entries cannot claim the render.
  if (parts.states.queue !== "ok") return true;
  await Promise.all(cancellation.stopped.map((render) => queues.remove(render))).catch(
    (error: unknown) => {
      const { generationId } = target;
      logger.warn(
        { err: error, requestId, generationId },
        "queue entries of a cancelled generation remain",
      );
    },
  );
  return true;
}
