import { bookResolution, giveBackRest } from "@atelier/billing";
import { newId, type Database, type Sql } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import type { GenerationError } from "@atelier/schemas";
import type { Claim, RecordedOutcome, StoredImage } from "./plan.ts";

/** Channel on which the id of every generation that became final is notified. */
export const finalChannel = "generation_final";

export type FinishResult =
  /** Another worker has taken the render over, or its generation is final: nothing was changed. */
  | { readonly kind: "stale" }
  | {
      readonly kind: "advanced";
      readonly ready: readonly Dispatch[];
      /** Its account has taken it back: nothing more of it is made. */
      readonly cancelRequested: boolean;
    }
  | { readonly kind: "completed"; readonly chargedMicroEur: bigint };

/**
 * Ends a render with its images, finds what can be made next, and settles the generation when
 * nothing is left: all in one statement, so that an image is paid for exactly when all of them are
 * there.
 *
 * @param turn the provider's state after a scene, kept for the next one; of other renders nobody asks
 *   for it.
 */
export async function finishRender(
  database: Database,
  claim: Claim,
  images: readonly StoredImage[],
  turn: unknown,
): Promise<FinishResult> {
  const values = [
    claim.generationId,
    claim.renderId,
    claim.attempt,
    turn === null || claim.role !== "scene" ? null : JSON.stringify(turn),
    JSON.stringify(images),
    newId(),
  ];
  const end = async (sql: Sql) => {
    const [ended] = await sql.query<Ended>(endRender, values);
    return ended;
  };
  const ended =
    claim.kind === "image"
      ? await end(database.repeatable)
      : await database.transaction(async (sql) => {
          // A statement sees what was there when it began: it must begin after the other renders of
          // this generation, which may be ending now, are done.
          const [, last] = await Promise.all([lockUnfinished(sql, claim.generationId), end(sql)]);
          return last;
        });
  return toResult(ended ?? (await findOwnEnd(database.repeatable, claim)));
}

function toResult(ended: Ended | undefined): FinishResult {
  if (ended === undefined) return { kind: "stale" };
  return ended.charged === null
    ? { kind: "advanced", ready: ended.ready, cancelRequested: ended.cancelRequested }
    : { kind: "completed", chargedMicroEur: ended.charged };
}

interface Ended {
  readonly ready: readonly Dispatch[];
  /** Null while there is more to be made. */
  readonly charged: bigint | null;
  readonly cancelRequested: boolean;
}

/** The renders `next` of an account, as the queue is given them. */
const asDispatches = `coalesce(json_agg(json_build_object(
  'renderId', next.id, 'lane', next.lane, 'priority', unfinished_renders)), '[]')`;

/** What an earlier run of `endRender` for the same claim came to, whose answer was lost. */
async function findOwnEnd(sql: Sql, claim: Claim): Promise<Ended | undefined> {
  const [ended] = await sql.query<Ended>(
    `SELECT charged_micro_eur AS charged, cancel_requested_at IS NOT NULL AS "cancelRequested",
            (SELECT ${asDispatches}
               FROM render AS next
              WHERE next.generation_id = generation.id AND next.status = 'ready'
                AND next.attempt = 0) AS ready
       FROM render AS own JOIN generation ON generation.id = own.generation_id
       JOIN account ON account.id = account_id
      WHERE own.id = $1 AND own.attempt = $2 AND own.status = 'done'`,
    [claim.renderId, claim.attempt],
  );
  return ended;
}

/** The end of the generations in `ending`: what was held is resolved, and their slots are free. */
const endHold = (kind: "settle" | "release") => `${bookResolution(kind, "ending")},
  paid AS (
    UPDATE account
       SET ${giveBackRest}, unfinished_jobs = unfinished_jobs - 1,
           unfinished_renders = unfinished_renders - ending.renders_total
      FROM resolved JOIN ending USING (generation_id)
     WHERE account.id = resolved.account_id
    RETURNING balance_micro_eur AS balance
  )`;

/** The generation is locked first, then everything else that belongs to it. */
const endRender = `
  WITH open AS (
    SELECT id, renders_total, price_micro_eur AS price,
           cancel_requested_at IS NOT NULL AS cancel_requested,
           NOT EXISTS (SELECT FROM render
                        WHERE generation_id = $1 AND id <> $2 AND status <> 'done') AS is_last
      FROM generation WHERE id = $1 AND status = 'processing' FOR NO KEY UPDATE
  ), ended AS (
    UPDATE render SET status = 'done', finished_at = now(), last_error = NULL,
                      turn = CASE WHEN NOT is_last THEN $4::jsonb END
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
  ), next AS (
    UPDATE render SET status = 'ready', dispatched_at = now()
      FROM ended
     WHERE generation_id = $1 AND status = 'waiting'
       AND NOT EXISTS (SELECT FROM render AS first WHERE first.id = ANY (render.waits_for)
                          AND first.id <> $2 AND first.status <> 'done')
    RETURNING render.id, lane
  ), ending AS (
    SELECT $6::uuid AS transfer_id, open.id AS generation_id, renders_total, price AS charge
      FROM open, ended WHERE is_last
  ), ${endHold("settle")},
  forgotten AS (
    UPDATE render SET turn = NULL FROM paid WHERE generation_id = $1 AND id <> $2 AND turn IS NOT NULL
  ), moved AS (
    UPDATE generation
       SET scenes_completed = scenes_completed + (ended.role = 'scene')::int,
           status = CASE WHEN is_last THEN 'completed' ELSE status END,
           completed_at = CASE WHEN is_last THEN now() END,
           charged_micro_eur = CASE WHEN is_last THEN price END,
           balance_after_micro_eur = paid.balance
      FROM open, ended LEFT JOIN paid ON true
     WHERE generation.id = open.id AND (is_last OR ended.role = 'scene')
    RETURNING is_last
  )
  SELECT CASE WHEN is_last THEN price END AS charged, cancel_requested AS "cancelRequested",
         CASE WHEN is_last THEN pg_notify('${finalChannel}', $1::text) END,
         (SELECT ${asDispatches}
            FROM next, generation JOIN account ON account.id = account_id
           WHERE generation.id = $1) AS ready
    FROM open, ended`;

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
    readonly callOutcome?: RecordedOutcome | null;
  },
): Promise<boolean> {
  const { generationId, claim, error } = failure;
  // If the COMMIT of a run was carried out and only its answer lost, the next run finds it failed.
  let failedBefore = false;
  return database.transaction(async (sql) => {
    if (!(await lockUnfinished(sql, generationId))) return failedBefore;
    if (claim !== null) {
      const failed = await sql.query(
        `UPDATE render SET status = 'failed', finished_at = now(), last_error = $3
          WHERE id = $1 AND attempt = $2 AND status = 'running' RETURNING id`,
        [claim.renderId, claim.attempt, JSON.stringify(error)],
      );
      if (failed.length === 0) return false;
      await endCalls(sql, claim.renderId, failure.callOutcome ?? null);
    }
    await stopRenders(sql, generationId, "failed");
    await giveUp(sql, generationId, { status: "failed", error });
    failedBefore = true;
    return true;
  });
}

/**
 * Gives a render back to the queue after a failure that may pass. The statement may run twice.
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
    readonly callOutcome: RecordedOutcome | null;
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
     SELECT id FROM postponed
      UNION ALL
     -- A first run was committed although its answer was lost.
     SELECT id FROM render WHERE id = $1 AND attempt = $2 AND status = 'ready'`,
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

/**
 * What is not done is not made any more, and what came of its open calls will never be known.
 *
 * @param sql of a transaction: the second statement sees the calls that the first had to wait for.
 */
export async function stopRenders(
  sql: Sql,
  generationId: string,
  status: "failed" | "cancelled",
): Promise<readonly Pick<Dispatch, "renderId" | "lane">[]> {
  const [stopped] = await Promise.all([
    sql.query<Pick<Dispatch, "renderId" | "lane">>(
      `UPDATE render SET status = CASE WHEN status = 'running' THEN $2 ELSE 'cancelled' END::render_status,
              finished_at = now()
        WHERE generation_id = $1 AND status IN ('waiting', 'ready', 'running')
       RETURNING id AS "renderId", lane`,
      [generationId, status],
    ),
    sql.query(
      `UPDATE provider_call SET outcome = 'unknown', finished_at = now()
        WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1) AND outcome IS NULL`,
      [generationId],
    ),
  ]);
  return stopped;
}

async function endCalls(
  sql: Sql,
  renderId: string,
  outcome: RecordedOutcome | null,
): Promise<void> {
  if (outcome === null) return;
  await sql.query(
    "UPDATE provider_call SET outcome = $2, finished_at = now() WHERE render_id = $1 AND outcome IS NULL",
    [renderId, outcome],
  );
}

/**
 * Ends a generation without a charge: what was held is released, the account has its slots back, and
 * whoever waits is woken. What a provider had kept between scenes is forgotten: it may hold whole
 * images, which are not to outlive their files.
 */
export async function giveUp(
  sql: Sql,
  generationId: string,
  final: { readonly status: "failed" | "cancelled"; readonly error: GenerationError | null },
): Promise<void> {
  await sql.query(
    `WITH ending AS (
       SELECT $2::uuid AS transfer_id, id AS generation_id, renders_total, 0::bigint AS charge
         FROM generation WHERE id = $1
     ), ${endHold("release")},
     ended AS (
       UPDATE generation SET status = $3, completed_at = now(), error = $4 FROM paid WHERE id = $1
     ), forgotten AS (
       UPDATE render SET turn = NULL FROM paid WHERE generation_id = $1 AND turn IS NOT NULL
     )
     SELECT pg_notify('${finalChannel}', $1::text)`,
    [
      generationId,
      newId(),
      final.status,
      final.error === null ? null : JSON.stringify(final.error),
    ],
  );
}
