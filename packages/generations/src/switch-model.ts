import type { Database } from "@atelier/database";
import type { Dispatch } from "@atelier/queue";
import type { GenerationError, ImageDemands } from "@atelier/schemas";
import type { Claim } from "./claim.ts";
import type { RecordedOutcome } from "./provider-calls.ts";

/** Another model, and what the whole generation costs with it. */
export interface ModelSwitch {
  readonly model: string;
  readonly lane: string;
  readonly priceMicroEur: bigint;
}

export type SwitchResult =
  /** The renders that are ready to be made by the other model. */
  | { readonly kind: "switched"; readonly ready: readonly Dispatch[] }
  /** Another image of it is being made now: whether there may be a switch is known when that ends. */
  | { readonly kind: "busy" }
  | { readonly kind: "kept" };

/**
 * Has a generation made by another model. All of it or nothing: a story that has an image, or a call
 * that may still bring one, keeps its model, so that its images look alike and none is paid for twice.
 * What the generation costs goes down to the other model's price; what is held for it stays, and the
 * rest is given back when it is settled.
 *
 * @param choose picks the other model; null for none.
 */
export function switchModel(
  database: Database,
  claim: Claim,
  change: {
    readonly choose: (demands: ImageDemands) => ModelSwitch | null;
    readonly error: GenerationError;
    readonly callOutcome: RecordedOutcome | null;
  },
): Promise<SwitchResult> {
  return database.transaction(async (sql) => {
    // Locked first: a render that another worker claims meanwhile would not be seen by one statement.
    await sql.query("SELECT id FROM generation WHERE id = $1 FOR NO KEY UPDATE", [
      claim.generationId,
    ]);
    const [generation] = await sql.query<ImageDemands & { begun: boolean; busy: boolean }>(
      `SELECT kind, price_micro_eur AS "priceMicroEur",
              bool_or(render.status = 'done' OR render.status = 'ready' AND EXISTS (
                SELECT FROM provider_call WHERE render_id = render.id AND outcome IS NULL)) AS begun,
              bool_or(render.id <> $2 AND render.status = 'running') AS busy,
              json_agg(json_build_object(
                'aspectRatio', spec->>'aspectRatio', 'imageSize', spec->>'imageSize',
                'referenceImages', jsonb_array_length(spec->'references'))) AS images
         FROM generation JOIN render ON generation_id = generation.id
        WHERE generation.id = $1 AND generation.status = 'processing'
        GROUP BY kind, price_micro_eur
       HAVING bool_or(render.id = $2 AND attempt = $3 AND render.status = 'running')`,
      [claim.generationId, claim.renderId, claim.attempt],
    );
    if (generation === undefined || generation.begun) return { kind: "kept" };
    const chosen = change.choose(generation);
    if (chosen === null) return { kind: "kept" };
    if (generation.busy) return { kind: "busy" };
    const { model, lane, priceMicroEur } = chosen;
    if (priceMicroEur > generation.priceMicroEur) {
      throw new Error(`${model} would cost more than is held for ${claim.generationId}`);
    }
    await sql.query(
      `WITH ended AS (
         UPDATE provider_call SET outcome = coalesce($2, 'unknown'::provider_outcome), finished_at = now()
          WHERE render_id = $4 AND outcome IS NULL
       )
       UPDATE generation SET price_micro_eur = $3 WHERE id = $1`,
      [claim.generationId, change.callOutcome, priceMicroEur, claim.renderId],
    );
    const switched = await sql.query<Dispatch & { status: string }>(
      `UPDATE render
          SET model = $2, lane = $3, tries = 0,
              status = CASE WHEN render.status = 'running' THEN 'ready' ELSE render.status END,
              last_error = CASE WHEN render.id = $4 THEN $5 ELSE last_error END,
              dispatched_at = CASE WHEN render.status = 'waiting' THEN NULL ELSE now() END
         FROM generation JOIN account ON account.id = account_id
        WHERE generation_id = $1 AND generation.id = $1
       RETURNING render.id AS "renderId", lane, render.status,
                 greatest(unfinished_renders, 1) AS priority`,
      [claim.generationId, model, lane, claim.renderId, JSON.stringify(change.error)],
    );
    const ready = switched
      .filter(({ status }) => status === "ready")
      .map(({ renderId, priority }) => ({ renderId, lane, priority }));
    return { kind: "switched", ready };
  });
}
