import { newId, type Database, type Sql } from "@atelier/database";
import { AppError, type JobStatus } from "@atelier/schemas";
import type { Dispatch } from "../claims/dispatch.ts";
import { isFinal } from "../jobs/find.ts";
import { announceEnd, endWithoutCharge, findEnd, stopRenders, type End } from "./end-generation.ts";

type StoppedRender = Pick<Dispatch, "renderId" | "lane">;

export type Cancellation =
  /** The generation is cancelled; these renders may be removed from the queue. */
  | { readonly kind: "cancelled"; readonly stopped: readonly StoppedRender[] }
  /** Some of several images are in progress: it is cancelled when they are done. */
  | { readonly kind: "requested" };

/** Result of a transaction. */
interface Done {
  readonly cancellation: Cancellation;
  /** Null when the generation has not ended. */
  readonly end: End | null;
}

/**
 * Cancels a generation of an account and releases its hold. Cancels at once when no worker is
 * processing it: before its first image, between two of several images, or between two attempts. A
 * generation of several images starts no further image, and `cancelAsRequested` cancels it later.
 *
 * @param hasWorkers false while none uses the database, such as after a restore: images that the database
 *   has as being made are not.
 * @throws AppError `job_not_found`, or `job_not_cancellable` when it is final or its only image is
 *   being made.
 */
export async function cancelGeneration(
  database: Database,
  {
    accountId,
    generationId,
    hasWorkers = true,
  }: {
    readonly accountId: string;
    readonly generationId: string;
    readonly hasWorkers?: boolean;
  },
): Promise<Cancellation> {
  const transferId = newId();
  // Known once a run has finished: if its COMMIT succeeded and only the response was lost, the next
  // run finds the generation already cancelled.
  let before: Done | null = null;
  const { cancellation, end } = await database.transaction(async (sql): Promise<Done> => {
    const [generation] = await sql.query<{ status: JobStatus; rendersTotal: number }>(
      `SELECT status, renders_total AS "rendersTotal" FROM generation
        WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
      [generationId, accountId],
    );
    if (generation === undefined) throw jobNotFound();
    const { status, rendersTotal } = generation;
    if (status === "cancelled" && before !== null) {
      // A run that was rolled back cancelled nothing: another request did.
      if (before.end === null || (await findEnd(sql, transferId)) !== null) return before;
    }
    if (isFinal(generation)) {
      throw notCancellable(
        `This job is ${status}. Only a job that is not final can be cancelled.`,
        status,
      );
    }
    if (hasWorkers && (await isRendering(sql, generationId))) {
      if (rendersTotal === 1) {
        throw notCancellable("The image of this job is being made. Let it finish.", status);
      }
      await sql.query(
        "UPDATE generation SET cancel_requested_at = coalesce(cancel_requested_at, now()) WHERE id = $1",
        [generationId],
      );
      return (before = { cancellation: { kind: "requested" }, end: null });
    }
    const { stopped, end: cancelled } = await cancel(sql, generationId, transferId);
    return (before = { cancellation: { kind: "cancelled", stopped }, end: cancelled });
  });
  if (end !== null) announceEnd(database, generationId, end);
  return cancellation;
}

/**
 * Cancels the generation of a render if its account requested that and no image of it is in progress.
 * Called whenever a worker has finished with one of its images.
 *
 * @param lostIn the lane that delivered the render although it cannot be claimed: the worker
 *   that had claimed it there is gone, and its result does not count.
 * @param hasWorkers as of `cancelGeneration`.
 * @returns whether the generation is now cancelled.
 */
export async function cancelAsRequested(
  database: Database,
  {
    renderId,
    lostIn = null,
    hasWorkers = true,
  }: {
    readonly renderId: string;
    readonly lostIn?: string | null;
    readonly hasWorkers?: boolean;
  },
): Promise<boolean> {
  const transferId = newId();
  const end = await database.transaction(async (sql) => {
    const [generation] = await sql.query<{ id: string; status: JobStatus }>(
      `SELECT id, status FROM generation
        WHERE id = (SELECT generation_id FROM render WHERE id = $1)
          AND cancel_requested_at IS NOT NULL
          FOR NO KEY UPDATE`,
      [renderId],
    );
    if (generation === undefined) return null;
    const { id: generationId } = generation;
    if (isFinal(generation)) {
      const earlier = await findEnd(sql, transferId);
      return earlier && { generationId, ...earlier };
    }
    if (lostIn !== null) {
      await sql.query(
        `UPDATE render SET status = 'ready', dispatched_at = now()
          WHERE id = $1 AND lane = $2 AND status = 'running'`,
        [renderId, lostIn],
      );
    }
    if (hasWorkers && (await isRendering(sql, generationId))) return null;
    const { end: cancelled } = await cancel(sql, generationId, transferId);
    return { generationId, ...cancelled };
  });
  if (end !== null) announceEnd(database, end.generationId, end);
  return end !== null;
}

async function isRendering(sql: Sql, generationId: string): Promise<boolean> {
  const running = await sql.query(
    "SELECT 1 FROM render WHERE generation_id = $1 AND status = 'running' LIMIT 1",
    [generationId],
  );
  return running.length > 0;
}

async function cancel(sql: Sql, generationId: string, transferId: string) {
  const stopped = await stopRenders(sql, generationId, "cancelled");
  const end = await endWithoutCharge(sql, generationId, {
    status: "cancelled",
    error: null,
    transferId,
  });
  return { stopped, end };
}

function notCancellable(message: string, status: string): AppError {
  return new AppError("job_not_cancellable", message, { details: { status } });
}

/** The error for an unknown id; an id of another account gets the same one. */
export function jobNotFound(): AppError {
  return new AppError("job_not_found", "This job does not exist. GET /v1/jobs lists your jobs.");
}
