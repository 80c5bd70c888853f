import { jsonText, statement, type Database } from "@atelier/database";
import { uncountedRoles, type GenerationError, type ImageDemands } from "@atelier/schemas";
import { addedInBatch } from "../batches/batch-line.ts";
import { batchPlaceChannel } from "../batches/places.ts";
import { costParameter, costRecord, setCost, type CallCost } from "./call-cost.ts";
import type { Claim } from "./claim.ts";
import type { Dispatch } from "./dispatch.ts";
import { postponeRender } from "./postpone.ts";
import type { RecordedOutcome } from "./provider-calls.ts";

/** Another model, with the price of all images of the generation without the steps after them. */
export interface ModelSwitch {
  readonly model: string;
  readonly lane: string;
  readonly priceMicroEur: bigint;
}

export type SwitchResult =
  /** The renders that are ready for the other model. */
  | { readonly kind: "switched"; readonly ready: readonly Dispatch[] }
  /** Another image of the generation is in progress; the switch is decided when it ends. */
  | { readonly kind: "busy" }
  | { readonly kind: "kept" };

/**
 * Switches a whole generation to another model. A story that has an image, or a call that may still
 * return one, keeps its model, so that its images look alike and no image is paid for twice. The price is
 * lowered to that of the other model; the hold stays, and settling releases the difference.
 *
 * While another image is in progress, this one is returned to the queue at once: two images that fail
 * together would otherwise each find the other one in progress, and neither would switch.
 *
 * @param choose picks the other model; null to keep the current one.
 */
export function switchModel(
  database: Database,
  claim: Claim,
  change: {
    readonly choose: (demands: ImageDemands) => ModelSwitch | null;
    readonly error: GenerationError;
    readonly callOutcome: RecordedOutcome | null;
    readonly callCost?: CallCost | null;
    /** Returns the render to the queue while another image is in progress: see `postponeRender`. */
    readonly ifBusy?: { readonly usedUp: boolean } | null;
  },
): Promise<SwitchResult> {
  return database.transaction(async (sql) => {
    // Locks first: one statement would not see a render that another worker claims in the meantime.
    await sql.query("SELECT id FROM generation WHERE id = $1 FOR NO KEY UPDATE", [
      claim.generationId,
    ]);
    const [generation] = await sql.query<StoredDemands>(
      `SELECT kind, price_micro_eur - ${afterPrice} AS "priceMicroEur",
              ${afterPrice} AS "afterPriceMicroEur", batch_id IS NOT NULL AS "isInBatch",
              coalesce((json_agg(spec->'capabilities') FILTER (
                WHERE position = 0 AND spec ? 'capabilities'))->0, '[]') AS capabilities,
              (json_agg(spec->'parameters') FILTER (
                WHERE position = 0 AND spec ? 'parameters'))->0 AS parameters,
              bool_or(render.status = 'done' OR render.status = 'ready' AND EXISTS (
                SELECT FROM provider_call WHERE render_id = render.id AND outcome IS NULL)) AS "hasStarted",
              bool_or(render.id <> $2 AND render.status = 'running') AS busy,
              json_agg(json_build_object(
                'aspectRatio', spec->>'aspectRatio', 'imageSize', spec->>'imageSize',
                'pixels', spec->'pixels',
                'referenceImages', (
                  SELECT count(*)::int FROM jsonb_array_elements(spec->'references') AS reference
                   WHERE reference->>'role' <> ALL ($5::text[])))) AS images
         FROM generation JOIN render ON generation_id = generation.id
        WHERE generation.id = $1 AND generation.status = 'processing'
        GROUP BY kind, price_micro_eur, batch_id
       HAVING bool_or(render.id = $2 AND attempt = $3 AND claim_id = $4 AND render.status = 'running')`,
      [claim.generationId, claim.renderId, claim.attempt, claim.claimId, uncountedRoles],
    );
    if (generation === undefined || generation.hasStarted) return { kind: "kept" };
    const chosen = change.choose(generation);
    if (chosen === null) return { kind: "kept" };
    if (generation.busy) {
      const { ifBusy = null, error, callOutcome, callCost = null } = change;
      if (ifBusy !== null) {
        await postponeRender(sql, claim, { ...ifBusy, error, callOutcome, callCost });
      }
      return { kind: "busy" };
    }
    const { model, lane } = chosen;
    if (chosen.priceMicroEur > generation.priceMicroEur) {
      throw new Error(`${model} would cost more than is held for ${claim.generationId}`);
    }
    const priceMicroEur = chosen.priceMicroEur + generation.afterPriceMicroEur;
    await sql.query(
      ...lowerPrice.bind({
        generationId: claim.generationId,
        callOutcome: change.callOutcome,
        cost: costParameter(change.callCost),
        priceMicroEur,
        renderId: claim.renderId,
      }),
    );
    const switched = await sql.query<Dispatch & { status: string; isInPlaceLine: boolean }>(
      ...changeModel.bind({
        generationId: claim.generationId,
        model,
        lane,
        renderId: claim.renderId,
        error: jsonText(change.error),
      }),
    );
    if (switched.some(({ isInPlaceLine }) => isInPlaceLine)) {
      await sql.query("SELECT pg_notify($1, '')", [batchPlaceChannel]);
    }
    const ready = switched
      .filter(({ status, isInPlaceLine }) => status === "ready" && !isInPlaceLine)
      .map(({ renderId, priority }) => ({ renderId, lane, priority }));
    return { kind: "switched", ready };
  });
}

/** The demands on the model alone: the prices of the steps after its images are separate. */
type StoredDemands = ImageDemands & {
  readonly afterPriceMicroEur: bigint;
  readonly hasStarted: boolean;
  readonly busy: boolean;
};

/** The price of the steps after all images of a generation, which any model's images take. */
const afterPrice = `coalesce(sum((
                SELECT sum((step->>'priceMicroEur')::bigint)
                  FROM jsonb_array_elements(spec->'after') AS step)), 0)::bigint`;

const lowerPrice = statement(
  ["generationId", "callOutcome", "cost", "priceMicroEur", "renderId"],
  `WITH ended AS (
         UPDATE provider_call SET outcome = coalesce(:callOutcome, 'unknown'::provider_outcome), finished_at = now(), ${setCost()}
           FROM ${costRecord}
          WHERE render_id = :renderId AND outcome IS NULL
       )
       UPDATE generation SET price_micro_eur = :priceMicroEur WHERE id = :generationId`,
);

const changeModel = statement(
  ["generationId", "model", "lane", "renderId", "error"],
  `UPDATE render
          SET model = :model, lane = :lane, tries = 0,
              status = CASE WHEN render.status = 'running' THEN 'ready' ELSE render.status END,
              last_error = CASE WHEN render.id = :renderId THEN :error ELSE last_error END,
              dispatched_at = CASE WHEN render.status = 'waiting' OR place_account_id IS NOT NULL THEN NULL ELSE now() END
         FROM generation JOIN account ON account.id = account_id
        WHERE generation_id = :generationId AND generation.id = :generationId
       RETURNING render.id AS "renderId", lane, render.status, place_account_id IS NOT NULL AS "isInPlaceLine",
                 greatest(unfinished_renders, 1) + ${addedInBatch} AS priority`,
);
