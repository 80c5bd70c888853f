import type { Database, Sql } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import { AppError, type JobStatus } from "@atelier/schemas";
import { giveUp, stopRenders } from "./end-generation.ts";
import { isFinal } from "./find.ts";

type StoppedRender = Pick<Dispatch, "renderId" | "lane">;

export type Cancellation =
  /** It is cancelled; the jobs of these renders may be taken out of the queue. */
  | { readonly kind: "cancelled"; readonly stopped: readonly StoppedRender[] }
  /** Images of the story are being made: it is cancelled when they are done. */
  | { readonly kind: "requested" };

/**
 * Cancels a generation of an account and releases its hold: at once when nobody works on it, that is
 * before its first image, between two images of a story, or between two tries at an image. A story
 * that is being made begins no further image, and is cancelled by `cancelAsRequested`.
 *
 * @throws AppError `job_not_found`, or `job_not_cancellable` when it is final or its only image is
 *   being made.
 */
export function cancelGeneration(
  database: Database,
  { accountId, generationId }: { readonly accountId: string; readonly generationId: string },
): Promise<Cancellation> {
  // Known once a run came to its end: if its COMMIT was carried out and only the answer lost, the next
  // run finds the generation cancelled, by itself.
  let before: Cancellation | null = null;
  return database.transaction(async (sql) => {
    const [generation] = await sql.query<{ status: JobStatus; kind: "image" | "story" }>(
      "SELECT status, kind FROM generation WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
      [generationId, accountId],
    );
    if (generation === undefined) throw jobNotFound();
    const { status, kind } = generation;
    if (status === "cancelled" && before !== null) return before;
    if (isFinal(generation)) {
      throw notCancellable(
        `This job is ${status}. Only a job that is not final can be cancelled.`,
        status,
      );
    }
    if (await isBeingMade(sql, generationId)) {
      if (kind === "image") {
        throw notCancellable("The image of this job is being made. Let it finish.", status);
      }
      await sql.query(
        "UPDATE generation SET cancel_requested_at = coalesce(cancel_requested_at, now()) WHERE id = $1",
        [generationId],
      );
      return (before = { kind: "requested" });
    }
    return (before = { kind: "cancelled", stopped: await cancel(sql, generationId) });
  });
}

/**
 * Cancels the generation of a render where its account has asked for that and no image of it is being
 * made: called whenever a worker has done with one of its images.
 *
 * @param lostIn the lane that handed the render out although it cannot be claimed: who made it there is
 *   gone, and whatever comes of it does not count.
 * @returns whether it is cancelled now.
 */
export function cancelAsRequested(
  database: Database,
  { renderId, lostIn = null }: { readonly renderId: string; readonly lostIn?: string | null },
): Promise<boolean> {
  let cancelledBefore = false;
  return database.transaction(async (sql) => {
    const [generation] = await sql.query<{ id: string }>(
      `SELECT id FROM generation
        WHERE id = (SELECT generation_id FROM render WHERE id = $1)
          AND status IN ('pending', 'processing') AND cancel_requested_at IS NOT NULL
          FOR NO KEY UPDATE`,
      [renderId],
    );
    if (generation === undefined) return cancelledBefore;
    if (lostIn !== null) {
      await sql.query(
        `UPDATE render SET status = 'ready', dispatched_at = now()
          WHERE id = $1 AND lane = $2 AND status = 'running'`,
        [renderId, lostIn],
      );
    }
    if (await isBeingMade(sql, generation.id)) return false;
    await cancel(sql, generation.id);
    cancelledBefore = true;
    return true;
  });
}

async function isBeingMade(sql: Sql, generationId: string): Promise<boolean> {
  const running = await sql.query(
    "SELECT 1 FROM render WHERE generation_id = $1 AND status = 'running' LIMIT 1",
    [generationId],
  );
  return running.length > 0;
}

async function cancel(sql: Sql, generationId: string): Promise<readonly StoppedRender[]> {
  const stopped = await stopRenders(sql, generationId, "cancelled");
  await giveUp(sql, generationId, { status: "cancelled", error: null });
  return stopped;
}

function notCancellable(message: string, status: string): AppError {
  return new AppError("job_not_cancellable", message, { details: { status } });
}

/** An id of another account answers exactly like one that does not exist. */
export function jobNotFound(): AppError {
  return new AppError("job_not_found", "There is no job with this id. GET /v1/jobs lists yours.");
}
