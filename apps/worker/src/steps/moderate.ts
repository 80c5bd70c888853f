import { createHmac } from "node:crypto";
import { recordRefusal, wasAllowed, type Claim, type Decision } from "@atelier/generations";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";

/**
 * Judges every text that the image depends on, and the prompt as the provider will get it. What was
 * allowed at an earlier try stays allowed: an image that is paid for does not depend on a moderator
 * elsewhere, which may be away by now, or judge otherwise.
 *
 * @returns the decision to allow it, to be stored with the intent to call the provider. A refusal is
 *   stored here.
 * @throws AppError `content_policy_violation`, or `content_illegal` for what no strictness allows;
 *   it names the category, the strictness and where the text stands, never the words.
 */
export async function moderate(
  claim: Claim,
  { database, moderator, pepper }: RenderDependencies,
  signal: AbortSignal,
): Promise<Decision> {
  const texts = [...claim.spec.texts, { path: "prompt", text: claim.spec.prompt }];
  const { strictness, spec } = claim;
  const { hasClientImages } = spec;
  const promptHash = createHmac("sha256", pepper).update(JSON.stringify(texts)).digest();
  const decision = { moderator: moderator.name, promptHash };
  if (claim.attempt > 1 && (await wasAllowed(database.repeatable, claim, decision))) {
    return decision;
  }

  const verdict = await moderator.moderate({ texts, strictness, hasClientImages }, signal);
  if (verdict.allowed) return decision;
  await recordRefusal(database.repeatable, claim, { ...decision, ...verdict });
  throw new AppError(
    verdict.code,
    verdict.code === "content_illegal"
      ? "The request asks for content that is not made at any strictness. Nothing was charged."
      : "The request does not keep to the content policy. Change the text that details.path names; nothing was charged.",
    { details: { category: verdict.category, strictness, path: verdict.path } },
  );
}
