import { recordRefusal } from "@atelier/generations/accept";
import type { Claim } from "@atelier/generations/claims";
import type { ProviderImage } from "@atelier/models";
import type { ModerationVerdict, RemoteModerator } from "@atelier/moderation";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import { TryFailed, providerFailure } from "../failures.ts";
import { discardStaged } from "../staging.ts";

/**
 * Moderates the generated image before delivery, if the operator enabled that.
 *
 * @throws TryFailed when the image is refused: with the error of `moderate`, `image` as its path, and
 *   no charge. When the moderator is unavailable: to retry later. When the image does not decode: the
 *   staged bytes are deleted, so that the next attempt calls the provider again.
 */
export async function moderateImage(
  claim: Claim,
  image: ProviderImage,
  moderator: RemoteModerator,
  dependencies: RenderDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { strictness } = claim;
  const verdict = await judge(claim, image, moderator, dependencies, signal);
  if (verdict.allowed) return;
  const { code, category, path, certainty } = verdict;
  await recordRefusal(dependencies.database.repeatable, claim, {
    moderator: moderator.name,
    promptHash: null,
    category,
    path,
    certainty,
  });
  dependencies.metrics.renderRefused(category, certainty);
  const refused = new AppError(
    code,
    "The generated image violates the content policy. Change the prompt; nothing was charged.",
    { details: { category, strictness, certainty, stage: "image" } },
  ).at(path);
  // The provider made the image and will charge for it.
  throw new TryFailed(refused, "image");
}

async function judge(
  claim: Claim,
  image: ProviderImage,
  moderator: RemoteModerator,
  dependencies: RenderDependencies,
  signal: AbortSignal,
): Promise<ModerationVerdict> {
  try {
    return await moderator.moderateImage(image.bytes, claim.strictness, signal);
  } catch (cause) {
    signal.throwIfAborted();
    // The paid image stays staged until it is judged or the deadline passes.
    if (cause instanceof AppError) throw new TryFailed(cause, null, { isUncounted: true });
    await discardStaged(claim, dependencies.storage, dependencies.logger);
    const failure = providerFailure(
      "The provider's answer was not a whole image.",
      null,
      cause as Error,
    );
    throw new TryFailed(failure, "unknown");
  }
}
