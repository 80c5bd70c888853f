import type { Claim, StoredImage } from "@atelier/generations";
import { releaseMemory, type MarkedImage } from "@atelier/provenance";
import type { RenderDependencies } from "../dependencies.ts";

/**
 * Stores the finished files. The key holds the attempt: a stalled worker that wakes up writes beside
 * the files of its successor and never over them, whose hashes are recorded already.
 */
export function upload(
  claim: Claim,
  marked: readonly MarkedImage[],
  { storage, failpoint }: RenderDependencies,
): Promise<StoredImage[]> {
  return Promise.all(
    marked.map(async ({ format, mediaType, bytes, sha256, sizeBytes, width, height }) => {
      const storageKey = `renders/${claim.renderId}/${claim.attempt}.${format}`;
      await storage.put(storageKey, bytes, { contentType: mediaType });
      releaseMemory(bytes);
      failpoint("in-upload");
      return { format, storageKey, sha256, sizeBytes, width, height };
    }),
  );
}
