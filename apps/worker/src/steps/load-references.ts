import { findImageKey, type Claim } from "@atelier/generations";
import type { ProviderReference } from "@atelier/models";
import { AppError, type ReferenceSpec } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";

/** A reference image as the provider sees it, and as it goes into the manifest. */
export interface LoadedReference extends ProviderReference {
  /** The bytes with whatever manifest they carry. */
  readonly original: Uint8Array;
}

/**
 * Reads the images that a render looks at: earlier renders of its story and images of our own
 * from the storage, everything else through the guarded fetcher.
 *
 * @throws AppError `reference_unreachable` or `reference_invalid`, with the path in the request.
 */
export function loadReferences(
  claim: Claim,
  dependencies: RenderDependencies,
  signal: AbortSignal,
): Promise<LoadedReference[]> {
  return Promise.all(
    claim.spec.references.map((reference) => load(claim, reference, dependencies, signal)),
  );
}

async function load(
  claim: Claim,
  reference: ReferenceSpec,
  { database, storage, fetcher }: RenderDependencies,
  signal: AbortSignal,
): Promise<LoadedReference> {
  const { role, name, description, source } = reference;
  const common = { role, name, description };
  if (source.kind === "render") {
    const key = await findImageKey(database.repeatable, claim.generationId, source.position);
    const image = key === null ? null : await storage.get(key);
    if (image === null) throw new Error(`the image at position ${source.position} is not stored`);
    return { ...common, bytes: image.bytes, mediaType: "image/png", original: image.bytes };
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
      return { ...common, bytes: image.bytes, mediaType, original: image.bytes };
    }
    const { bytes, mediaType, original } = await fetcher.fetchImage(source.url, signal);
    return { ...common, bytes, mediaType, original: original.bytes };
  } catch (error) {
    throw withPath(error, source.path);
  }
}

/** Tells which of several references it was. */
function withPath(error: unknown, path: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, retryable, retryAfterMs } = error;
  return new AppError(code, message, {
    details: { ...(error.details as object), path },
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    cause: error,
  });
}
