import type { Claim } from "@atelier/generations/claims";
import type { StoredImage } from "@atelier/generations/endings";
import { releaseMemory, type MarkedImage } from "@atelier/provenance";
import { imageKey } from "@atelier/schemas";
import type { Storage } from "@atelier/storage";
import { storeDossier } from "../dossier.ts";
import type { Failpoint } from "../failpoint.ts";

/** Uploads the finished files and the dossier under keys of this attempt. */
export async function upload(
  claim: Claim,
  marked: readonly MarkedImage[],
  storage: Storage,
  failpoint: Failpoint,
): Promise<StoredImage[]> {
  const [first] = marked;
  const [images] = await Promise.all([
    uploadFiles(claim, marked, storage, failpoint),
    first === undefined ? null : storeDossier(claim, first.dossier, storage),
  ]);
  return images;
}

function uploadFiles(
  claim: Claim,
  marked: readonly MarkedImage[],
  storage: Storage,
  failpoint: Failpoint,
): Promise<StoredImage[]> {
  return Promise.all(
    marked.map(
      async ({
        format,
        mediaType,
        bytes,
        sha256,
        sizeBytes,
        width,
        height,
        flattened,
        manifestId,
      }) => {
        const storageKey = imageKey(claim, format);
        await storage.put(storageKey, bytes, { contentType: mediaType });
        releaseMemory(bytes);
        failpoint("in-upload");
        return { format, storageKey, sha256, sizeBytes, width, height, flattened, manifestId };
      },
    ),
  );
}
