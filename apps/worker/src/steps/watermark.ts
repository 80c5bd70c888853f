import type { Claim } from "@atelier/generations";
import type { ProviderImage } from "@atelier/models";
import { InvalidImageError, type MarkedImage } from "@atelier/provenance";
import type { RenderDependencies } from "../dependencies.ts";
import { CallFailed, providerFailure } from "../give-back.ts";
import { discardStaged } from "../staging.ts";
import type { LoadedReference } from "./load-references.ts";

/**
 * Makes PNG, JPEG and WebP of the image, each marked as AI-made (XMP and a signed C2PA manifest that
 * names the model and the references) and verified. Nothing changes the bytes after it.
 *
 * @throws CallFailed when what the provider gave does not decode to a whole image: it is decoded
 *   here and only here, and forgotten, so that the next try asks again.
 */
export async function watermark(
  claim: Claim,
  image: ProviderImage,
  references: readonly LoadedReference[],
  dependencies: RenderDependencies,
  signal: AbortSignal,
): Promise<readonly MarkedImage[]> {
  const { catalogue, marker } = dependencies;
  const entry = catalogue.entries.find(({ id }) => id === claim.model);
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
    if (!(cause instanceof InvalidImageError)) throw cause;
    await discardStaged(claim, dependencies);
    const failure = providerFailure("The provider's answer was not a whole image.", null, cause);
    throw new CallFailed(failure, "unknown");
  }
}
