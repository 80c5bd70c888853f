import type { Claim } from "@atelier/generations";
import type { ProviderImage } from "@atelier/models";
import type { MarkedImage } from "@atelier/provenance";
import type { RenderDependencies } from "../dependencies.ts";
import type { LoadedReference } from "./load-references.ts";

/**
 * Makes PNG, JPEG and WebP of the image, each marked as AI-made (XMP and a signed C2PA manifest that
 * names the model and the references) and verified. Nothing changes the bytes after it.
 */
export function watermark(
  claim: Claim,
  image: ProviderImage,
  references: readonly LoadedReference[],
  { catalogue, marker }: RenderDependencies,
  signal: AbortSignal,
): Promise<readonly MarkedImage[]> {
  const entry = catalogue.entries.find(({ id }) => id === claim.model);
  return marker.mark(
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
}
