import { findImageKey, type Claim } from "@atelier/generations";
import type { FetchedImage } from "@atelier/guarded-fetch";
import type { ProviderReference } from "@atelier/models";
import { AppError, type ReferenceSpec } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";
import { findStagedReferences, stageReference } from "../staging.ts";

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
  const { references } = claim.spec;
  const fromElsewhere = references.some(({ source }) => source.kind === "url");
  const kept = fromElsewhere ? await findStagedReferences(claim, dependencies.storage) : null;
  return Promise.all(
    references.map(async (reference, index) => {
      const { role, name, description, source } = reference;
      const keptKey = kept?.get(index);
      const image = await load({ claim, source, index, keptKey }, dependencies, signal);
      return { role, name, description, ...image };
    }),
  );
}

interface Place {
  readonly claim: Claim;
  readonly source: ReferenceSpec["source"];
  /** Among the references of the render. */
  readonly index: number;
  /** Of the image as an earlier try fetched it, where one did. */
  readonly keptKey: string | undefined;
}

async function load(
  place: Place,
  dependencies: Dependencies,
  signal: AbortSignal,
): Promise<Pick<LoadedReference, "bytes" | "mediaType" | "original">> {
  const { database, storage } = dependencies;
  const { claim, source } = place;
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
    const { bytes, mediaType, original } = await fetchOnce(place, source.url, dependencies, signal);
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
  { claim, index, keptKey }: Place,
  url: string,
  { storage, fetcher }: Dependencies,
  signal: AbortSignal,
): Promise<FetchedImage> {
  const kept = keptKey === undefined ? null : await storage.get(keptKey);
  if (kept !== null) return fetcher.readOriginal(kept.bytes);
  const image = await fetcher.fetchImage(url, signal);
  await stageReference(claim, index, image.original, storage);
  return image;
}
