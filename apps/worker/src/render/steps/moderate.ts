import { createHmac } from "node:crypto";
import { recordRefusal, wasAllowed, type Claim, type Decision } from "@atelier/generations";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";

/**
 * Moderates every text that the image depends on, and the prompt as the provider will receive it.
 * Texts that an earlier attempt allowed stay allowed: a paid image must not depend on a remote
 * moderator that may be down or decide differently now.
 *
 * @returns the decision to allow the render, to be stored with the intent to call the provider. A
 *   refusal is stored here.
 * @throws AppError `content_policy_violation`, or `content_illegal` for content that no strictness
 *   allows; it names the category, the strictness and the location of the text, never the text
 *   itself.
 */
export async function moderate(
  claim: Claim,
  { database, moderator, pepper }: RenderDependencies,
  signal: AbortSignal,
): Promise<Decision> {
  const { strictness, spec } = claim;
  // A diagram of a source has no prompt.
  const prompts = spec.prompt === "" ? [] : [{ path: "prompt", text: spec.prompt }];
  const texts = [...spec.texts, ...prompts];
  const { hasClientImages } = spec;
  const promptHash = createHmac("sha256", pepper).update(JSON.stringify(texts)).digest();
  const decision = { moderator: moderator.name, promptHash };
  if (claim.attempt > 1 && (await wasAllowed(database.repeatable, claim, decision))) {
    return decision;
  }

  const verdict = await moderator.moderate({ texts, strictness, hasClientImages }, signal);
  if (verdict.allowed) return decision;
  await recordRefusal(database.repeatable, claim, { ...decision, ...verdict });
  const { code, category, path } = verdict;
  const message =
    code === "content_illegal"
      ? "The request violates the content policy at every strictness. Nothing was charged."
      : "The request violates the content policy. Change the text that details[0].path names; nothing was charged.";
  throw new AppError(code, message, { details: { category, strictness } }).at(path);
}
