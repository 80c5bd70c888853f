import type { Claim } from "@atelier/generations";
import type { ProviderImage } from "@atelier/models";
import { InvalidImageError, TimeStampError, type MarkedImage } from "@atelier/provenance";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";
import { TryFailed, providerFailure } from "../failures.ts";
import { discardStaged } from "../staging.ts";
import type { LoadedReference } from "./load-references.ts";

/**
 * Makes PNG, JPEG and WebP of the image, each marked as AI-made (XMP and a signed C2PA manifest that
 * names the model and the references) and verified. Nothing changes the bytes after it.
 *
 * @throws TryFailed when what the provider gave does not decode to a whole image: it is decoded
 *   here and only here, and forgotten, so that the next try asks again. And when the authority for
 *   time stamps is away: the image stays staged and waits for it, until the deadline.
 */
export async function watermark(
  claim: Claim,
  image: ProviderImage,
  references: readonly LoadedReference[],
  dependencies: RenderDependencies,
  signal: AbortSignal,
): Promise<readonly MarkedImage[]> {
  const { storage, catalogue, marker, logger } = dependencies;
  const entry = catalogue.entryOf(claim.model);
  try {
    return await marker.mark(
      {
        image,
        model: {
          id: claim.model,
          name: entry?.name ?? claim.model,
          provider: claim.lane,
          procedural: entry?.procedural ?? false,
        },
        // A title that anyone can read in the file: the role, never the client's words.
        ingredients: references.map(({ role, original }) => ({
          bytes: original,
          title: `${role} reference`,
        })),
        createdAt: new Date(),
      },
      signal,
    );
  } catch (cause) {
    if (cause instanceof TimeStampError) {
      throw new TryFailed(stampingFailure(cause), null, { givesTryBack: true });
    }
    if (!(cause instanceof InvalidImageError)) throw cause;
    await discardStaged(claim, storage, logger);
    const failure = providerFailure("The provider's answer was not a whole image.", null, cause);
    throw new TryFailed(failure, "unknown");
  }
}

function stampingFailure(cause: TimeStampError): AppError {
  return new AppError(
    "internal_error",
    "The image was made, but could not be marked with a time stamp. Nothing was charged; please try again later.",
    { retryable: true, cause },
  );
}
