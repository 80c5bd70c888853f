import { newId, type Sql } from "@atelier/database";
import type { RenderRole, RenderSpec, Strictness } from "@atelier/schemas";

/** A render as a worker gets it, with the number that fences what it writes. */
export interface Claim {
  readonly renderId: string;
  readonly attempt: number;
  /** Claims that were used up, this one included. */
  readonly tries: number;
  readonly generationId: string;
  readonly accountId: string;
  readonly kind: "image" | "story";
  readonly strictness: Strictness;
  readonly role: RenderRole;
  readonly position: number;
  readonly lane: string;
  readonly model: string;
  readonly spec: RenderSpec;
  /** The database's time until the deadline when it was claimed. */
  readonly remainingMs: number;
}

/**
 * Takes a render for this worker: raises `attempt`, the number by which every later write of an
 * earlier claim is refused, and moves its generation to `processing`. The statement may run twice.
 *
 * @param lane whose job it is: one that a lane kept of a render which another lane makes now is void.
 * @returns null when there is nothing to do: it is done, failed, cancelled, not ready, overdue, or its
 *   generation is to be cancelled.
 */
export async function claimRender(sql: Sql, renderId: string, lane: string): Promise<Claim | null> {
  const [claim] = await sql.query<Claim>(
    `WITH open AS (
       SELECT id, account_id, kind, strictness, deadline_at, status FROM generation
        WHERE id = (SELECT generation_id FROM render WHERE id = $1)
          AND status IN ('pending', 'processing') AND deadline_at > now()
          AND cancel_requested_at IS NULL
          FOR NO KEY UPDATE
     ), started AS (
       UPDATE generation SET status = 'processing', started_at = now()
         FROM open WHERE generation.id = open.id AND open.status = 'pending'
     )
     UPDATE render
        SET status = 'running', claim_id = $3, claimed_at = now(), dispatched_at = now(),
            attempt = attempt + CASE WHEN claim_id = $3 THEN 0 ELSE 1 END,
            tries = tries + CASE WHEN claim_id = $3 THEN 0 ELSE 1 END
       FROM open
      WHERE render.id = $1 AND render.generation_id = open.id AND render.status IN ('ready', 'running')
        AND lane = $2
     RETURNING render.id AS "renderId", attempt, tries, generation_id AS "generationId",
               open.account_id AS "accountId", open.kind,
               open.strictness, role, position, lane, model, spec,
               ceil(extract(epoch FROM open.deadline_at - now()) * 1000)::int AS "remainingMs"`,
    [renderId, lane, newId()],
  );
  return claim ?? null;
}
