import type { Database } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import { AppError } from "@atelier/schemas";
import { giveUp, stopRenders } from "./finish.ts";

/**
 * Cancels a generation of an account that nobody works on: before its first image, between two images
 * of a story, or between two tries at an image. Its hold is released.
 *
 * @returns the renders whose jobs may be taken out of the queue.
 * @throws AppError `job_not_found`, or `job_not_cancellable` when it is final or an image of it is
 *   being made.
 */
export function cancelGeneration(
  database: Database,
  { accountId, generationId }: { readonly accountId: string; readonly generationId: string },
): Promise<readonly Pick<Dispatch, "renderId" | "lane">[]> {
  // Known once a run came to its end: if its COMMIT was carried out and only the answer lost, the next
  // run finds the generation cancelled, by itself.
  let stoppedBefore: readonly Pick<Dispatch, "renderId" | "lane">[] | null = null;
  return database.transaction(async (sql) => {
    const [generation] = await sql.query<{ status: string }>(
      "SELECT status FROM generation WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
      [generationId, accountId],
    );
    if (generation === undefined) throw jobNotFound();
    if (generation.status === "cancelled" && stoppedBefore !== null) return stoppedBefore;
    const running = await sql.query(
      "SELECT 1 FROM render WHERE generation_id = $1 AND status = 'running' LIMIT 1",
      [generationId],
    );
    const unfinished = generation.status === "pending" || generation.status === "processing";
    if (!unfinished || running.length > 0) {
      throw new AppError(
        "job_not_cancellable",
        unfinished
          ? "An image of this job is being made. Let it finish, or try again between two images of a story."
          : `This job is ${generation.status}. Only a job that is not final can be cancelled.`,
        { details: { status: generation.status } },
      );
    }
    const stopped = await stopRenders(sql, generationId, "cancelled");
    await giveUp(sql, generationId, { status: "cancelled", error: null });
    stoppedBefore = stopped;
    return stopped;
  });
}

/** An id of another account answers exactly like one that does not exist. */
export function jobNotFound(): AppError {
  return new AppError("job_not_found", "There is no job with this id. GET /v1/jobs lists yours.");
}
