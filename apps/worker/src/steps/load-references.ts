import { findImageKey, type Claim } from "@atelier/generations";
import type { FetchedImage } from "@atelier/guarded-fetch";
import type { ProviderReference } from "@atelier/models";
import { AppError, type ReferenceSpec } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";
import { findStagedReference, stageReference } from "../staging.ts";

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
export function loadReferences(
  claim: Claim,
  dependencies: Dependencies,
  signal: AbortSignal,
): Promise<LoadedReference[]> {
  return Promise.all(
    claim.spec.references.map(async (reference, index) => {
      const { role, name, description, source } = reference;
      const image = await load(claim, source, index, dependencies, signal);
      return { role, name, description, ...image };
    }),
  );
}

async function load(
  claim: Claim,
  source: ReferenceSpec["source"],
  index: number,
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
    const { bytes, mediaType, original } = await fetchOnce(
      claim,
      source.url,
      index,
      dependencies,
      signal,
    );
    return { bytes, mediaType, original: original.bytes };
  } catch (error) {
    throw error instanceof AppError ? error.at(source.path) : error;
  }
}

/**
 * An image from elsewhere is fetched once and kept until the render ends: its URL may have expired by
 * the next try, which may have an image to mark that is paid for.
 */
async function fetchOnce(
  claim: Claim,
  url: string,
  index: number,
  { storage, fetcher }: Dependencies,
  signal: AbortSignal,
): Promise<FetchedImage> {
  const kept = await findStagedReference(claim, index, storage);
  if (kept !== null) return fetcher.readOriginal(kept);
  const image = await fetcher.fetchImage(url, signal);
  await stageReference(claim, index, image.original, storage);
  return image;
}
