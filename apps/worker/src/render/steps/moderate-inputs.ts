import { recordRefusal, wereInputsAllowed, type Decision } from "@atelier/generations/accept";
import type { Claim } from "@atelier/generations/claims";
import type { RemoteModerator } from "@atelier/moderation";
import { AppError, isReceivedKey, usedReferences, type ReferenceSpec } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import type { LoadedReference } from "./load-references.ts";

/**
 * Moderates the images that the client sent for a render, if the operator enabled that. As with texts,
 * images that an earlier attempt allowed stay allowed.
 *
 * @throws AppError `content_policy_violation` or `content_illegal` with the path of the image.
 */
export async function moderateInputs(
  claim: Claim,
  decision: Decision,
  loaded: readonly LoadedReference[],
  moderator: RemoteModerator,
  { database, metrics }: Pick<RenderDependencies, "database" | "metrics">,
  signal: AbortSignal,
): Promise<void> {
  const { spec, strictness } = claim;
  const sent = usedReferences(spec).flatMap((reference, index) => {
    const path = pathOfClientImage(reference);
    const image = loaded[index];
    return path === null || image === undefined ? [] : [{ path, image }];
  });
  if (sent.length === 0) return;
  if (claim.attempt > 1 && (await wereInputsAllowed(database.repeatable, claim, decision))) return;
  for (const { path, image } of sent) {
    const verdict = await moderator.moderateImage(image.bytes, strictness, signal);
    if (verdict.allowed) continue;
    const { code, category, certainty } = verdict;
    await recordRefusal(database.repeatable, claim, {
      moderator: moderator.name,
      promptHash: null,
      category,
      path,
      certainty,
    });
    metrics.renderRefused(category, certainty);
    throw new AppError(
      code,
      "An image of the request violates the content policy. Use another image; nothing was charged.",
      { details: { category, strictness, certainty } },
    ).at(path);
  }
}

/** The path of an image that is not from this service; null for other images and for masks. */
function pathOfClientImage({ role, source }: ReferenceSpec): string | null {
  if (role === "mask") return null;
  if (source.kind === "url") return source.path;
  return source.kind === "stored" && isReceivedKey(source.key) ? source.path : null;
}
