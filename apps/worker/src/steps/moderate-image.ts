import { recordRefusal, type Claim } from "@atelier/generations";
import type { ProviderImage } from "@atelier/models";
import type { ModerationVerdict, RemoteModerator } from "@atelier/moderation";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";
import { TryFailed, providerFailure } from "../failures.ts";
import { discardStaged } from "../staging.ts";

/**
 * Judges the image itself before it leaves, where the operator wants that.
 *
 * @throws TryFailed with the error of `moderate`, and `image` for the path, when it is refused:
 *   nothing is charged. When nobody judges it: it waits. When it does not decode: it is forgotten, so
 *   that the next try asks again.
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
  const { code, category, path } = verdict;
  await recordRefusal(dependencies.database.repeatable, claim, {
    moderator: moderator.name,
    promptHash: null,
    category,
    path,
  });
  const refused = new AppError(
    code,
    "The image that was made does not keep to the content policy. Change the prompt; nothing was charged.",
    { details: { category, strictness, path } },
  );
  // It was made: its provider will ask for the money.
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
    // What was paid for stays staged, until it is judged or the deadline ends it.
    if (cause instanceof AppError) throw new TryFailed(cause, null, { givesTryBack: true });
    await discardStaged(claim, dependencies.storage, dependencies.logger);
    const failure = providerFailure(
      "The provider's answer was not a whole image.",
      null,
      cause as Error,
    );
    throw new TryFailed(failure, "unknown");
  }
}
