import { referenceGone } from "@atelier/generations/accept";
import type { Claim } from "@atelier/generations/claims";
import { findImageKey } from "@atelier/generations/jobs";
import { markUploadUnusable } from "@atelier/generations/uploads";
import { atReference, GuardedRequestError, type InTurn } from "@atelier/guarded-fetch";
import type { ProviderReference } from "@atelier/models";
import type { FetchedImage } from "@atelier/guarded-fetch";
import {
  AppError,
  isReceivedKey,
  uploadIdOf,
  usedReferences,
  type ReferenceSpec,
  type UsedReference,
} from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import { fetchOnce } from "../kept-references.ts";
import type { RenderCost } from "../meter.ts";

/** A reference image for the provider and for the manifest. */
export interface LoadedReference extends Omit<ProviderReference, "role"> {
  readonly role: UsedReference["role"];
  /** The original bytes, including any manifest they contain. */
  readonly original: Uint8Array;
}

type LoadedImage = Pick<LoadedReference, "bytes" | "mediaType" | "original">;

type Dependencies = Pick<RenderDependencies, "database" | "storage" | "fetcher">;

/**
 * Loads the reference images of a render: earlier renders of its story and stored images from the
 * storage, external ones through the guarded fetcher. An image that is used several times is loaded and
 * decoded once. External ones are decoded one after another, and
 * none after one that is refused: all renders of a process share one decoder, so that the images of
 * one render would delay those of the others.
 *
 * @param onDecoded called with the cost of decoding an external image.
 * @throws AppError `reference_unreachable` or `reference_invalid`, with the JSON path in the request.
 * @throws LimitError when the machine is too busy to decode one.
 */
export async function loadReferences(
  claim: Claim,
  dependencies: Dependencies,
  signal: AbortSignal,
  onDecoded: (cost: RenderCost) => void = () => undefined,
): Promise<LoadedReference[]> {
  const inTurn = oneAfterAnother();
  const loading = new Map<string, Promise<LoadedImage>>();
  return Promise.all(
    usedReferences(claim.spec).map(async ({ role, name, description, source }) => {
      const { path: _, ...image } = { path: null, ...source };
      const key = JSON.stringify(image);
      const loaded =
        loading.get(key) ?? load(claim, source, dependencies, { signal, inTurn, onDecoded });
      loading.set(key, loaded);
      return { role, name, description, ...(await loaded) };
    }),
  );
}

async function load(
  claim: Claim,
  source: ReferenceSpec["source"],
  dependencies: Dependencies,
  {
    signal,
    inTurn,
    onDecoded,
  }: {
    readonly signal: AbortSignal;
    readonly inTurn: InTurn;
    readonly onDecoded: (cost: RenderCost) => void;
  },
): Promise<LoadedImage> {
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
      if (image === null) throw referenceGone();
      const uploadId = uploadIdOf(source.key);
      if (!isReceivedKey(source.key)) {
        const mediaType = image.contentType as LoadedReference["mediaType"];
        return { bytes: image.bytes, mediaType, original: image.bytes };
      }
      // An upload is as it was received.
      const decode = () =>
        dependencies.fetcher.readOriginal(image.bytes).catch(async (error: unknown) => {
          if (uploadId !== null && isDamaged(error))
            await markUploadUnusable(database.repeatable, uploadId);
          throw error;
        });
      return sanitised(await inTurn(decode), onDecoded);
    }
    if (source.kind !== "url") throw new Error(`a ${source.kind} was accepted as a reference`);
    return sanitised(await fetchOnce(claim, source.url, dependencies, signal, inTurn), onDecoded);
  } catch (error) {
    throw error instanceof AppError ? atReference(error, source.path) : error;
  }
}

/** Whether an image can never be decoded. */
function isDamaged(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== "reference_invalid") return false;
  return error.cause instanceof GuardedRequestError;
}

function sanitised(fetched: FetchedImage, onDecoded: (cost: RenderCost) => void) {
  const { bytes, mediaType, original } = fetched;
  onDecoded(fetched);
  return { bytes, mediaType, original: original.bytes };
}

/** Runs tasks one after another. When one fails, the others fail with its error and are not run. */
function oneAfterAnother(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result;
    // Its caller handles the error.
    last.catch(() => undefined);
    return result;
  };
}
