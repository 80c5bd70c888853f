import { createHmac } from "node:crypto";
import {
  listSpecs,
  recordApprovals,
  recordRefusal,
  wasAllowed,
  type Decision,
} from "@atelier/generations/accept";
import type { Claim } from "@atelier/generations/claims";
import { refusalError, requestOfImages, type ModerationVerdict } from "@atelier/moderation";
import type { RenderSpec } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";

/**
 * Moderates every text and every prompt of the generation, so that a story does not fail because of a
 * text after its first image. The approval of all renders is stored together, and the later ones do not
 * ask again. Texts that were allowed stay allowed: a paid image must not depend on a remote moderator
 * that may be down or decide differently now.
 *
 * @returns the decision to allow the render, to be stored with the intent to call the provider. A
 *   refusal is stored here.
 * @throws AppError `content_policy_violation`, or `content_illegal` for content that no strictness
 *   allows; it names the category, the strictness and the client's field.
 */
export async function moderate(
  claim: Claim,
  dependencies: RenderDependencies,
  signal: AbortSignal,
): Promise<Decision> {
  const { database, metrics, moderator, peppers, sharedModeration } = dependencies;
  const { attempt, generationId, rendersTotal, spec, strictness } = claim;
  const decision = { moderator: moderator.name, promptHash: hashOf(spec, peppers[0]) };
  const mayBeKnown = attempt > 1 || rendersTotal > 1;
  if (mayBeKnown && (await wasAllowed(database.repeatable, claim, decision))) return decision;

  // Renders of a generation that start together share one verdict.
  const verdict = await sharedModeration.run(
    generationId,
    () => moderateGeneration(claim, dependencies, signal),
    signal,
  );
  if (verdict.allowed) return decision;
  const { category, certainty, path } = verdict;
  await recordRefusal(database.repeatable, claim, { ...decision, category, certainty, path });
  metrics.renderRefused(category, certainty);
  throw refusalError(verdict, strictness);
}

async function moderateGeneration(
  { generationId, rendersTotal, renderId, spec, strictness }: Claim,
  { database, moderator, peppers }: RenderDependencies,
  signal: AbortSignal,
): Promise<ModerationVerdict> {
  const renders =
    rendersTotal === 1 ? [{ renderId, spec }] : await listSpecs(database.repeatable, generationId);
  const request = requestOfImages(
    renders.map((render) => render.spec),
    strictness,
  );
  const verdict = await moderator.moderate(request, signal);
  if (verdict.allowed && rendersTotal > 1) {
    const approvals = renders.map((render) => ({
      renderId: render.renderId,
      promptHash: hashOf(render.spec, peppers[0]),
    }));
    const { name } = moderator;
    await recordApprovals(database.repeatable, {
      generationId,
      strictness,
      moderator: name,
      approvals,
    });
  }
  return verdict;
}

/** A keyed hash of the texts of an image and its prompt. */
function hashOf({ prompt, texts }: Pick<RenderSpec, "prompt" | "texts">, pepper: string): Buffer {
  // A diagram of a source has no prompt.
  const prompts = prompt === "" ? [] : [{ path: "prompt", text: prompt }];
  return createHmac("sha256", pepper)
    .update(JSON.stringify([...texts, ...prompts]))
    .digest();
}
