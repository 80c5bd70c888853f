import type { Claim, StoredImage } from "@atelier/generations";
import { releaseMemory, type MarkedImage } from "@atelier/provenance";
import { imageKey } from "@atelier/schemas";
import type { Storage } from "@atelier/storage";
import type { Failpoint } from "../failpoint.ts";

/** Uploads the finished files under keys of this attempt. */
export function upload(
  claim: Claim,
  marked: readonly MarkedImage[],
  storage: Storage,
  failpoint: Failpoint,
): Promise<StoredImage[]> {
  return Promise.all(
    marked.map(
      async ({ format, mediaType, bytes, sha256, sizeBytes, width, height, flattened }) => {
        const storageKey = imageKey(claim, format);
        await storage.put(storageKey, bytes, { contentType: mediaType });
        releaseMemory(bytes);
        failpoint("in-upload");
        return { format, storageKey, sha256, sizeBytes, width, height, flattened };
      },
    ),
  );
}
