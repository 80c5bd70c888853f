import { cancelGeneration } from "@atelier/generations";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * Cancels a generation, and takes it out of the queue. A story whose images are being made is
 * cancelled by a worker, when they are done.
 *
 * @returns whether it is cancelled now.
 * @throws AppError `job_not_found` or `job_not_cancellable`.
 */
export async function cancelAndRemove(
  of: { readonly accountId: string; readonly generationId: string },
  requestId: string,
  { database, queues, metrics, logger }: ApiDependencies,
): Promise<boolean> {
  const cancellation = await cancelGeneration(database, of);
  if (cancellation.kind === "requested") return false;
  metrics.jobCancelled();
  await Promise.all(cancellation.stopped.map((render) => queues.remove(render))).catch(
    (error: unknown) => {
      // A worker that gets such a job finds it cancelled and does nothing.
      const { generationId } = of;
      logger.warn(
        { err: error, requestId, generationId },
        "queue jobs of a cancelled generation remain",
      );
    },
  );
  return true;
}
