import { release, settle } from "@atelier/billing";
import type { Database, Sql } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import type { GenerationError } from "@atelier/schemas";
import type { Claim, ProviderOutcome, StoredImage } from "./plan.ts";

/** Channel on which the id of every generation that became final is notified. */
export const finalChannel = "generation_final";

export type FinishResult =
  /** Another worker has taken the render over, or its generation is final: nothing was changed. */
  | { readonly kind: "stale" }
  | { readonly kind: "advanced"; readonly ready: readonly Dispatch[] }
  | { readonly kind: "completed"; readonly chargedMicroEur: bigint };

/**
 * Ends a render with its images, finds what can be made next, and settles the generation when
 * nothing is left: one transaction, so that an image is paid for exactly when all of them are there.
 *
 * @param turn the provider's state after a scene, kept for the next one; of other renders nobody asks
 *   for it.
 */
export function finishRender(
  database: Database,
  claim: Claim,
  images: readonly StoredImage[],
  turn: unknown,
): Promise<FinishResult> {
  return database.transaction(async (sql) => {
    const [done] = await sql.query<{ rendersTotal: number; price: bigint }>(endRender, [
      claim.generationId,
      claim.renderId,
      claim.attempt,
      turn === null || claim.role !== "scene" ? null : JSON.stringify(turn),
      JSON.stringify(images),
    ]);
    if (done === undefined) return { kind: "stale" };
    if (done.rendersTotal > 1) {
      const { open, ready } = await advance(sql, claim);
      if (open > 0) return { kind: "advanced", ready };
    }
    await complete(sql, claim.generationId, done.price);
    return { kind: "completed", chargedMicroEur: done.price };
  });
}

/** The generation is locked first, then everything else that belongs to it. */
const endRender = `
  WITH open AS (
    SELECT id, renders_total, price_micro_eur FROM generation
     WHERE id = $1 AND status = 'processing' FOR NO KEY UPDATE
  ), ended AS (
    UPDATE render SET status = 'done', finished_at = now(), turn = $4, last_error = NULL
      FROM open
     WHERE render.id = $2 AND attempt = $3 AND status = 'running'
    RETURNING render.id, render.role
  ), called AS (
    UPDATE provider_call SET outcome = 'image', finished_at = now()
      FROM ended WHERE render_id = ended.id AND outcome IS NULL
  ), stored AS (
    INSERT INTO image (render_id, format, storage_key, sha256, size_bytes, width, height)
    SELECT ended.id, i.format, i."storageKey", i.sha256, i."sizeBytes", i.width, i.height
      FROM ended, jsonb_to_recordset($5::jsonb) AS i (
        format image_format, "storageKey" text, sha256 text, "sizeBytes" int, width int, height int)
  ), counted AS (
    UPDATE generation SET scenes_completed = scenes_completed + 1
      FROM ended WHERE generation.id = $1 AND ended.role = 'scene'
  )
  SELECT renders_total AS "rendersTotal", price_micro_eur AS price FROM open, ended`;

/** Makes ready what waited for the render that ended; tells how many renders are still to be made. */
async function advance(
  sql: Sql,
  claim: Claim,
): Promise<{ open: number; ready: readonly Dispatch[] }> {
  const ready = await sql.query<Dispatch>(
    `UPDATE render SET status = 'ready', dispatched_at = now()
      WHERE generation_id = $1 AND status = 'waiting'
        AND NOT EXISTS (SELECT 1 FROM render AS first
                         WHERE first.id = ANY (render.waits_for) AND first.status <> 'done')
     RETURNING id AS "renderId", lane,
       (SELECT unfinished_renders FROM generation JOIN account ON account.id = account_id
         WHERE generation.id = generation_id) AS priority`,
    [claim.generationId],
  );
  const [count] = await sql.query<{ open: number }>(
    "SELECT count(*)::int AS open FROM render WHERE generation_id = $1 AND status <> 'done'",
    [claim.generationId],
  );
  return { open: count?.open ?? 0, ready };
}

async function complete(sql: Sql, generationId: string, chargeMicroEur: bigint): Promise<void> {
  await Promise.all([
    settle(sql, { generationId, chargeMicroEur }),
    makeFinal(sql, generationId, { status: "completed", chargeMicroEur, error: null }),
  ]);
}

/**
 * Fails a generation for good: the hold is released, what was not started is not made, the error is
 * kept. Does nothing to a final one.
 *
 * @param claim the claim on whose behalf it fails; null for recovery. A stale claim changes nothing.
 * @returns whether it was failed now.
 */
export function failGeneration(
  database: Database,
  failure: {
    readonly generationId: string;
    readonly claim: Claim | null;
    readonly error: GenerationError;
    readonly callOutcome?: ProviderOutcome | null;
  },
): Promise<boolean> {
  const { generationId, claim, error } = failure;
  return database.transaction(async (sql) => {
    if (!(await lockUnfinished(sql, generationId))) return false;
    if (claim !== null) {
      const failed = await sql.query(
        `UPDATE render SET status = 'failed', finished_at = now(), last_error = $3
          WHERE id = $1 AND attempt = $2 AND status = 'running' RETURNING id`,
        [claim.renderId, claim.attempt, JSON.stringify(error)],
      );
      if (failed.length === 0) return false;
      await endCalls(sql, claim.renderId, failure.callOutcome ?? null);
    }
    await release(sql, { generationId });
    await stopRenders(sql, generationId, "failed");
    await makeFinal(sql, generationId, {
      status: "failed",
      chargeMicroEur: null,
      error,
    });
    return true;
  });
}

/**
 * Gives a render back to the queue after a failure that may pass.
 *
 * @param usedUp whether this claim counts against the limit of tries.
 * @returns whether the claim was still valid.
 */
export async function postponeRender(
  sql: Sql,
  claim: Claim,
  postponement: {
    readonly error: GenerationError;
    readonly usedUp: boolean;
    readonly callOutcome: ProviderOutcome | null;
  },
): Promise<boolean> {
  const postponed = await sql.query(
    `WITH postponed AS (
       UPDATE render SET status = 'ready', last_error = $3, tries = tries - $4, dispatched_at = now()
        WHERE id = $1 AND attempt = $2 AND status = 'running'
       RETURNING id
     ), called AS (
       UPDATE provider_call SET outcome = $5, finished_at = now()
         FROM postponed WHERE render_id = postponed.id AND outcome IS NULL AND $5::provider_outcome IS NOT NULL
     )
     SELECT id FROM postponed`,
    [
      claim.renderId,
      claim.attempt,
      JSON.stringify(postponement.error),
      postponement.usedUp ? 0 : 1,
      postponement.callOutcome,
    ],
  );
  return postponed.length > 0;
}

/** Locks a generation; false when there is none that is not final. */
async function lockUnfinished(sql: Sql, generationId: string): Promise<boolean> {
  const locked = await sql.query(
    `SELECT id FROM generation
      WHERE id = $1 AND status IN ('pending', 'processing') FOR NO KEY UPDATE`,
    [generationId],
  );
  return locked.length > 0;
}

/** What is not done is not made any more, and what came of its open calls will never be known. */
export async function stopRenders(
  sql: Sql,
  generationId: string,
  status: "failed" | "cancelled",
): Promise<readonly Pick<Dispatch, "renderId" | "lane">[]> {
  return sql.query(
    `WITH given_up AS (
       UPDATE provider_call SET outcome = 'unknown', finished_at = now()
        WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1) AND outcome IS NULL
     )
     UPDATE render SET status = CASE WHEN status = 'running' THEN $2 ELSE 'cancelled' END::render_status,
            finished_at = now()
      WHERE generation_id = $1 AND status IN ('waiting', 'ready', 'running')
     RETURNING id AS "renderId", lane`,
    [generationId, status],
  );
}

async function endCalls(
  sql: Sql,
  renderId: string,
  outcome: ProviderOutcome | null,
): Promise<void> {
  if (outcome === null) return;
  await sql.query(
    "UPDATE provider_call SET outcome = $2, finished_at = now() WHERE render_id = $1 AND outcome IS NULL",
    [renderId, outcome],
  );
}

/**
 * Writes the final state, gives the account its slots back, and wakes whoever waits for it. Where
 * there was a charge, the balance that it left is kept: what settles comes first. What a provider had
 * kept between scenes is forgotten: it may hold whole images, which are not to outlive their files.
 */
export async function makeFinal(
  sql: Sql,
  generationId: string,
  final: {
    readonly status: "completed" | "failed" | "cancelled";
    readonly chargeMicroEur: bigint | null;
    readonly error: GenerationError | null;
  },
): Promise<void> {
  await sql.query(
    `WITH ended AS (
       UPDATE generation
          SET status = $2, completed_at = now(), charged_micro_eur = $3, error = $4,
              balance_after_micro_eur = CASE WHEN $3::bigint IS NOT NULL THEN balance_micro_eur END
         FROM account
        WHERE generation.id = $1 AND account.id = account_id
       RETURNING account_id, renders_total
     ), counted AS (
       UPDATE account SET unfinished_jobs = unfinished_jobs - 1,
                          unfinished_renders = unfinished_renders - renders_total
         FROM ended WHERE account.id = ended.account_id
     ), forgotten AS (
       UPDATE render SET turn = NULL WHERE generation_id = $1 AND turn IS NOT NULL
     )
     SELECT pg_notify('${finalChannel}', $1::text)`,
    [
      generationId,
      final.status,
      final.chargeMicroEur,
      final.error === null ? null : JSON.stringify(final.error),
    ],
  );
}
