import { newId, type Database, type Sql } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import type { ImageFormat } from "@atelier/schemas";
import { endHold, finalChannel, lockUnfinished } from "./end-generation.ts";
import type { Claim } from "./claim.ts";

/** An image file that was made and is stored. */
export interface StoredImage {
  readonly format: ImageFormat;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
}

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
