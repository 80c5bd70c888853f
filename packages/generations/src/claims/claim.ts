import { newId, statement, type Database } from "@atelier/database";
import { hasDeliveries, recordEvents, wakeDeliveries } from "@atelier/events";
import type { RenderRole, RenderSpec, Strictness } from "@atelier/schemas";
import { capability } from "./capability.ts";

/** A claimed render, with the numbers that fence the worker's writes. */
export interface Claim {
  readonly renderId: string;
  readonly attempt: number;
  /** Of this claim alone: a crash of Postgres can lose a first claim, and then its attempt is given again. */
  readonly claimId: string;
  /** Claims that count towards the limit, including this one. */
  readonly tries: number;
  readonly generationId: string;
  readonly accountId: string;
  readonly kind: "image" | "story";
  readonly strictness: Strictness;
  readonly role: RenderRole;
  readonly position: number;
  /** Number of renders of the generation. */
  readonly rendersTotal: number;
  readonly lane: string;
  readonly model: string;
  readonly spec: RenderSpec;
  readonly isInBatch: boolean;
  /** Time from the claim to the deadline by the database's clock, in milliseconds. */
  readonly remainingMs: number;
}

/**
 * Claims a render for this worker: increments `attempt`, which fences every later write of an earlier
 * claim, and moves the generation to `processing`, where the time of a line of a batch begins. The statement
 * is safe to repeat.
 *
 * The first claim of a render does not wait for the disk: until its intent to call the provider is
 * committed, which includes it, the attempt has no effect but writes with the condition on `claim_id`. Later
 * claims may use files of earlier attempts and upload results without an intent, so they wait.
 *
 * @param lane lane whose queue delivered the render. A render that has moved to another lane is not claimed.
 * @param ownCapability what this worker can do. A render that needs more is left to a newer worker.
 * @returns null when the render cannot be claimed: it is done, failed, cancelled, not ready or
 *   overdue, it needs a newer worker, or cancellation of its generation was requested.
 */
export async function claimRender(
  database: Pick<Database, "repeatable" | "notify">,
  renderId: string,
  lane: string,
  ownCapability = capability,
): Promise<Claim | null> {
  const [row] = await database.repeatable.query<
    Claim & { hasDeliveries: boolean; commit: string | null }
  >(...claimStatement.bind({ renderId, lane, claimId: newId(), ownCapability }));
  if (row === undefined) return null;
  const { hasDeliveries: _hasDeliveries, commit: _commit, ...claim } = row;
  if (row.hasDeliveries) wakeDeliveries(database);
  return claim;
}

const claimStatement = statement(
  ["renderId", "lane", "claimId", "ownCapability"],
  `WITH open AS (
       SELECT id, account_id, kind, strictness, renders_total, status, batch_id,
              CASE status WHEN 'pending' THEN coalesce(now() + deadline_after_claim_ms * interval '1 ms', deadline_at)
                          ELSE deadline_at END AS deadline_at
         FROM generation
        WHERE id = (SELECT generation_id FROM render WHERE id = :renderId AND needs <= :ownCapability)
          AND status IN ('pending', 'processing') AND deadline_at > now()
          AND cancel_requested_at IS NULL
          FOR NO KEY UPDATE
     ), started AS (
       UPDATE generation SET status = 'processing', started_at = now(), deadline_at = open.deadline_at
         FROM open WHERE generation.id = open.id AND open.status = 'pending'
       RETURNING generation.account_id, generation.id, generation.mode
     ), ${recordEvents(
       `
       SELECT account_id, id AS generation_id, 'job.updated' AS type, NULL AS data FROM started`,
       "(SELECT mode FROM started)",
     )}
     UPDATE render
        SET status = 'running', claim_id = :claimId, claimed_at = now(), place_account_id = NULL,
            dispatched_at = coalesce(dispatched_at, now()),
            attempt = attempt + CASE WHEN claim_id = :claimId THEN 0 ELSE 1 END,
            tries = tries + CASE WHEN claim_id = :claimId THEN 0 ELSE 1 END
       FROM open
      WHERE render.id = :renderId AND render.generation_id = open.id AND render.status IN ('ready', 'running')
        AND lane = :lane
     RETURNING render.id AS "renderId", attempt, claim_id AS "claimId", tries, generation_id AS "generationId",
               open.account_id AS "accountId", open.kind,
               open.strictness, open.renders_total AS "rendersTotal", role, position, lane, model, spec,
               open.batch_id IS NOT NULL AS "isInBatch",
               ceil(extract(epoch FROM open.deadline_at - now()) * 1000)::int AS "remainingMs",
               ${hasDeliveries} AS "hasDeliveries",
               CASE WHEN attempt = 1 THEN set_config('synchronous_commit', 'off', true) END AS commit`,
);
