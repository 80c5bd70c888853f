import { findImageKey, type Claim } from "@atelier/generations";
import type { ProviderReference } from "@atelier/models";
import { AppError, type ReferenceSpec } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";
import { fetchOnce } from "../kept-references.ts";

/** A reference image as the provider sees it, and as it goes into the manifest. */
export interface LoadedReference extends ProviderReference {
  /** The bytes with whatever manifest they carry. */
  readonly original: Uint8Array;
}

type Dependencies = Pick<RenderDependencies, "database" | "storage" | "fetcher">;

/**
 * Reads the images that a render looks at: earlier renders of its story and images of our own
 * from the storage, everything else through the guarded fetcher.
 *
 * @throws AppError `reference_unreachable` or `reference_invalid`, with the path in the request.
 */
export async function loadReferences(
  claim: Claim,
  dependencies: Dependencies,
  signal: AbortSignal,
): Promise<LoadedReference[]> {
  return Promise.all(
    claim.spec.references.map(async ({ role, name, description, source }) => {
      const image = await load(claim, source, dependencies, signal);
      return { role, name, description, ...image };
    }),
  );
}

async function load(
  claim: Claim,
  source: ReferenceSpec["source"],
  dependencies: Dependencies,
  signal: AbortSignal,
): Promise<Pick<LoadedReference, "bytes" | "mediaType" | "original">> {
  const { database, storage } = dependencies;
  if (source.kind === "render") {
    const key = await findImageKey(database.repeatable, claim.generationId, source.position);
    const image = key === null ? null : await storage.get(key);
    if (image === null) throw new Error(`the image at position ${source.position} is not stored`);
    return { bytes: image.bytes, mediaType: "image/png", original: image.bytes };
  }
  try {
    if (source.kind === "stored") {
      const image = await storage.get(source.key);
      if (image === null) {
        throw new AppError(
          "reference_unreachable",
          "This image is not kept any more. Use another, or make it again.",
          { details: { reason: "gone" } },
        );
      }
      const mediaType = image.contentType as LoadedReference["mediaType"];
      return { bytes: image.bytes, mediaType, original: image.bytes };
    }
    const { bytes, mediaType, original } = await fetchOnce(claim, source.url, dependencies, signal);
    return { bytes, mediaType, original: original.bytes };
  } catch (error) {
    throw error instanceof AppError ? error.at(source.path) : error;
  }
}
