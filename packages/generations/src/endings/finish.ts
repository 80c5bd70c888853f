import { newId, statement, type BoundStatement, type Database, type Sql } from "@atelier/database";
import { hasDeliveries, recordEvents, wakeDeliveries } from "@atelier/events";
import type { StoredFormat, SyntheticSource } from "@atelier/schemas";
import { batchPlaceChannel } from "../batches/places.ts";
import { costParameter, costRecord, setCost, type CallCost } from "../claims/call-cost.ts";
import type { Claim } from "../claims/claim.ts";
import type { Dispatch } from "../claims/dispatch.ts";
import { isShort, isUnmarked, storedFiles, storedRenders, storedResult } from "../jobs/result.ts";
import { announceEnd, endHold, lockUnfinished } from "./end-generation.ts";

/** A stored image file. */
export interface StoredImage {
  readonly format: StoredFormat;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  /** A JPEG of an image with transparency, which was flattened on white. */
  readonly flattened: boolean;
  /** UUID of its C2PA manifest; null when it is unknown. */
  readonly manifestId: string | null;
}

/** Registry data that identifies a render's image without its metadata. */
export interface RenderMark {
  /** 16 hexadecimal digits; null without a watermark in the pixels. */
  readonly watermarkId: string | null;
  /** 64 hexadecimal digits. */
  readonly perceptualHash: string;
  /** Watermarks of this installation in the render's inputs. */
  readonly parentWatermarks: readonly string[];
  /** How the image was made; null if it is unknown. */
  readonly synthetic: SyntheticSource | null;
  /** Whether this attempt has stored a dossier. */
  readonly hasDossier: boolean;
}

export type FinishResult =
  /** Another worker has claimed the render, or the generation is final: nothing was changed. */
  | { readonly kind: "stale" }
  | {
      readonly kind: "advanced";
      readonly ready: readonly Dispatch[];
      /** The account requested cancellation: no further render starts. */
      readonly cancelRequested: boolean;
    }
  | { readonly kind: "completed"; readonly chargedMicroEur: bigint };

/**
 * Finishes a render with its images, readies the renders that depend on it, and settles the
 * generation when no render is left. One statement, so that the charge is booked exactly when all
 * images exist.
 *
 * @param answer.callId the provider call that returned the images; its outcome becomes `image`, and
 *   that of other open calls of the render `unknown`. Its cost is recorded with it.
 * @param mark written to the registry with the hashes of the files.
 * @param endOnce runs the statement.
 */
export async function finishRender(
  database: Database,
  claim: Claim,
  images: readonly StoredImage[],
  answer: { readonly callId: string; readonly cost?: CallCost | null },
  mark: RenderMark | null = null,
  endOnce = (end: RenderEnd) => endAlone(database, end),
): Promise<FinishResult> {
  const bound = endRender.bind({
    generationId: claim.generationId,
    renderId: claim.renderId,
    attempt: claim.attempt,
    claimId: claim.claimId,
    images: JSON.stringify(images),
    transferId: newId(),
    callId: answer.callId,
    cost: costParameter(answer.cost),
    mark: JSON.stringify(mark ?? {}),
  });
  const known = (await endOnce({ claim, bound })) ?? (await findOwnEnd(database.repeatable, claim));
  if (known === undefined) return { kind: "stale" };
  if (known.charged !== null) announceEnd(database, claim.generationId, known);
  else if (known.hasDeliveries) wakeDeliveries(database);
  if (known.hasPlaceLine) database.notify(batchPlaceChannel, "");
  return toResult(known);
}

/** The statement that ends a render, with its parameters. */
export interface RenderEnd {
  readonly claim: Claim;
  readonly bound: BoundStatement;
}

/** Runs the statement. The generation is locked, or has no other render. */
async function runEnd(sql: Sql, { bound }: RenderEnd): Promise<Ended | undefined> {
  const [ended] = await sql.query<Ended>(...bound);
  return ended;
}

/** Runs the statement in a transaction of its own. */
export async function endAlone(database: Database, end: RenderEnd): Promise<Ended | undefined> {
  const { rendersTotal, generationId } = end.claim;
  if (rendersTotal === 1) return runEnd(database.repeatable, end);
  return database.transaction(async (sql) => {
    // A statement sees the snapshot of its start: it must start after concurrent finishes of
    // other renders of this generation have ended.
    const [, ended] = await Promise.all([lockUnfinished(sql, generationId), runEnd(sql, end)]);
    return ended;
  });
}

function toResult(ended: Ended): FinishResult {
  return ended.charged === null
    ? { kind: "advanced", ready: ended.ready, cancelRequested: ended.cancelRequested }
    : { kind: "completed", chargedMicroEur: ended.charged };
}

/** The changes that a finished render made. */
export interface Ended {
  readonly ready: readonly Dispatch[];
  /** Null until the generation completes. */
  readonly charged: bigint | null;
  readonly cancelRequested: boolean;
  /** Whether workers must be woken, or may have to be when that is unknown. */
  readonly hasDeliveries: boolean;
  /** Whether readied renders wait for a place of batches. */
  readonly hasPlaceLine: boolean;
}

/**
 * SQL that turns the renders in `next` of a generation into dispatches for the queue, except those that wait for
 * a place of batches.
 */
const asDispatches = `coalesce(json_agg(json_build_object(
  'renderId', next.id, 'lane', next.lane, 'priority', unfinished_renders))
  FILTER (WHERE next.place_account_id IS NULL), '[]')`;

/** Result of an earlier run of `endRender` for the same claim, whose response was lost. */
async function findOwnEnd(sql: Sql, claim: Claim): Promise<Ended | undefined> {
  const [ended] = await sql.query<Ended>(
    `SELECT charged_micro_eur AS charged, cancel_requested_at IS NOT NULL AS "cancelRequested",
            true AS "hasDeliveries", batch_id IS NOT NULL AS "hasPlaceLine",
            (SELECT ${asDispatches}
               FROM render AS next
              WHERE next.generation_id = generation.id AND next.status = 'ready'
                AND next.attempt = 0) AS ready
       FROM render AS own JOIN generation ON generation.id = own.generation_id
       JOIN account ON account.id = account_id
      WHERE own.id = $1 AND own.attempt = $2 AND own.claim_id = $3 AND own.status = 'done'`,
    [claim.renderId, claim.attempt, claim.claimId],
  );
  return ended;
}

/** Locks the generation first, then everything else that belongs to it. */
const endRender = statement(
  [
    "generationId",
    "renderId",
    "attempt",
    "claimId",
    "images",
    "transferId",
    "callId",
    "cost",
    "mark",
  ],
  `
  WITH open AS (
    SELECT id, account_id, mode, batch_id, renders_total, price_micro_eur AS price,
           cancel_requested_at IS NOT NULL AS cancel_requested,
           NOT EXISTS (SELECT FROM render
                        WHERE generation_id = :generationId AND id <> :renderId AND status <> 'done') AS is_last
      FROM generation WHERE id = :generationId AND status = 'processing' FOR NO KEY UPDATE
  ), ended AS (
    UPDATE render SET status = 'done', finished_at = now(), last_error = NULL
      FROM open
     WHERE render.id = :renderId AND attempt = :attempt AND claim_id = :claimId AND status = 'running'
    RETURNING render.id, render.role, render.model, render.attempt, render.position, render.spec
  ), called AS (
    UPDATE provider_call
       SET outcome = CASE WHEN provider_call.id = :callId THEN 'image' ELSE 'unknown' END::provider_outcome,
           finished_at = now(), ${setCost("provider_call.id = :callId")}
      FROM ended, ${costRecord}
     WHERE render_id = ended.id AND (outcome IS NULL OR provider_call.id = :callId)
  ), stored AS (
    INSERT INTO image (render_id, format, storage_key, sha256, size_bytes, width, height, flattened)
    SELECT ended.id, i.format, i."storageKey", i.sha256, i."sizeBytes", i.width, i.height,
           i.flattened
      FROM ended, jsonb_to_recordset(:images::jsonb) AS i (
        format image_format, "storageKey" text, sha256 text, "sizeBytes" int, width int, height int,
        flattened boolean)
  ), registered AS (
    INSERT INTO mark (render_id, model, watermark_id, perceptual_hash, parent_watermarks, synthetic,
                      dossier_attempt)
    SELECT ended.id, ended.model, m."watermarkId", ('x' || m."perceptualHash")::bit(256),
           coalesce(m."parentWatermarks", '{}'), m.synthetic,
           CASE WHEN m."hasDossier" THEN ended.attempt END
      FROM ended LEFT JOIN jsonb_to_record(:mark::jsonb) AS m (
        "watermarkId" text, "perceptualHash" text, "parentWatermarks" text[], synthetic synthetic_source,
        "hasDossier" boolean)
        ON true
  ), hashed AS (
    INSERT INTO mark_file (sha256, render_id, format, manifest_id)
    SELECT i.sha256, ended.id, i.format, i."manifestId"
      FROM ended, jsonb_to_recordset(:images::jsonb) AS i (
        format image_format, sha256 text, "manifestId" uuid)
    ON CONFLICT DO NOTHING
  ), next AS (
    UPDATE render
       SET status = 'ready', dispatched_at = CASE WHEN batch_id IS NULL THEN now() END,
           place_account_id = CASE WHEN batch_id IS NOT NULL THEN open.account_id END
      FROM ended, open
     WHERE generation_id = :generationId AND status = 'waiting'
       AND NOT EXISTS (SELECT FROM render AS first WHERE first.id = ANY (render.waits_for)
                          AND first.id <> :renderId AND first.status <> 'done')
    RETURNING render.id, lane, place_account_id
  ), ending AS (
    SELECT :transferId::uuid AS transfer_id, open.id AS generation_id, renders_total, price AS charge,
           -- Tests are not charged: their hold of 0 ends without a transaction of the account.
           CASE mode WHEN 'test' THEN 'release' ELSE 'settle' END::transfer_kind AS kind
      FROM open, ended WHERE is_last
  ), ${endHold("of-each")},
  forgotten AS (
    UPDATE render SET turn = NULL FROM paid WHERE generation_id = :generationId AND id <> :renderId AND turn IS NOT NULL
  ), made AS (
    -- The statement does not see the rows that it writes.
    SELECT position, role, model, spec, :mark::jsonb->>'watermarkId' IS NOT NULL AS is_watermarked,
           (SELECT ${storedFiles("file")} FROM jsonb_to_recordset(:images::jsonb) AS file (
              format image_format, "storageKey" text, sha256 text, "sizeBytes" int, width int, height int,
              flattened boolean)) AS files
      FROM ended
    UNION ALL
    ${storedRenders} WHERE generation_id = :generationId AND id <> :renderId
  ), moved AS (
    UPDATE generation
       SET scenes_completed = scenes_completed + (ended.role = 'scene')::int,
           status = CASE WHEN is_last THEN 'completed' ELSE status END,
           completed_at = CASE WHEN is_last THEN now() END,
           charged_micro_eur = CASE WHEN is_last THEN price END,
           balance_after_micro_eur = paid.balance,
           result = CASE WHEN is_last AND ${isShort} AND ${isUnmarked} THEN (SELECT ${storedResult} FROM made) END
      FROM open, ended LEFT JOIN paid ON true
     WHERE generation.id = open.id AND (is_last OR ended.role = 'scene')
    RETURNING is_last
  ), ${recordEvents(
    `
    SELECT account_id, open.id AS generation_id, type, NULL AS data
      FROM open, ended, unnest(CASE
        WHEN is_last THEN '{job.image_completed,job.completed}' ELSE '{job.image_completed}'
      END::text[]) AS type`,
    "(SELECT mode FROM open)",
  )}
  SELECT CASE WHEN is_last THEN price END AS charged, cancel_requested AS "cancelRequested",
         ${hasDeliveries} AS "hasDeliveries",
         EXISTS (SELECT FROM next WHERE place_account_id IS NOT NULL) AS "hasPlaceLine",
         (SELECT ${asDispatches}
            FROM next, generation JOIN account ON account.id = account_id
           WHERE generation.id = :generationId) AS ready
    FROM open, ended`,
);
