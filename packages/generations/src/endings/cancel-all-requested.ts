import type { Database } from "@atelier/database";
import { settleEach } from "@atelier/kit";
import { cancelAsRequested } from "./cancel.ts";

/**
 * Cancels all generations whose cancellation was requested, while no other program uses the database: no image
 * is in progress, also if the database has it as being made. Workers do the same when they have finished with an image.
 *
 * @returns their number.
 * @throws AggregateError after all others are cancelled, with the errors of those that could not be.
 */
export async function cancelAllRequested(database: Database): Promise<number> {
  const requested = await database.query<{ renderId: string }>(
    `SELECT DISTINCT ON (generation.id) render.id AS "renderId"
       FROM generation JOIN render ON generation_id = generation.id
      WHERE completed_at IS NULL AND cancel_requested_at IS NOT NULL`,
  );
  let cancelled = 0;
  await settleEach(requested, async ({ renderId }) => {
    if (await cancelAsRequested(database, { renderId, hasWorkers: false })) cancelled++;
  });
  return cancelled;
}
