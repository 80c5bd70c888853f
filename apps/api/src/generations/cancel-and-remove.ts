import { cancelGeneration } from "@atelier/generations";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * Cancels a generation that nobody works on, and takes it out of the queue.
 *
 * @throws AppError `job_not_found` or `job_not_cancellable`.
 */
export async function cancelAndRemove(
  of: { readonly accountId: string; readonly generationId: string },
  requestId: string,
  { database, queues, metrics, logger }: ApiDependencies,
): Promise<void> {
  const stopped = await cancelGeneration(database, of);
  metrics.jobCancelled();
  await Promise.all(stopped.map((render) => queues.remove(render))).catch((error: unknown) => {
    // A worker that gets such a job finds it cancelled and does nothing.
    const { generationId } = of;
    logger.warn(
      { err: error, requestId, generationId },
      "queue jobs of a cancelled generation remain",
    );
  });
}
