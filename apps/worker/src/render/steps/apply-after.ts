import type { Claim } from "@atelier/generations/claims";
import { takeStep } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import { TryFailed, providerFailure } from "../failures.ts";
import { discardStaged, type GeneratedImage } from "../staging.ts";

/**
 * Changes the generated image by the tools that the request names in `after`. The image stays staged
 * as its model made it: after a crash, the steps are repeated without another call.
 *
 * @throws TryFailed, finally and without a charge, when a step cannot be taken. When the image does not
 *   decode: the staged bytes are deleted, so that the next attempt calls the provider again.
 */
export async function applyAfter(
  claim: Claim,
  generated: GeneratedImage,
  { storage, logger, failpoint }: Pick<RenderDependencies, "storage" | "logger" | "failpoint">,
  signal: AbortSignal,
): Promise<Pick<GeneratedImage, "image" | "svg">> {
  const { after } = claim.spec;
  if (after === undefined) return generated;
  let { image } = generated;
  try {
    for (const [index, { task }] of after.entries()) {
      signal.throwIfAborted();
      if (index > 0) failpoint("between-steps");
      image = await takeStep(image, task, index);
    }
  } catch (cause) {
    signal.throwIfAborted();
    // The provider made the image and will charge for it.
    if (cause instanceof AppError) throw new TryFailed(cause, "image");
    await discardStaged(claim, storage, logger);
    const message = "The provider's answer was not a whole image.";
    throw new TryFailed(providerFailure(message, null, cause as Error), "unknown");
  }
  // A drawing would show the image without its steps.
  return { image, svg: null };
}
