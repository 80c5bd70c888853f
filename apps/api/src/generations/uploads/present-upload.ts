import type { Upload } from "@atelier/generations/uploads";
import type { UploadResponse } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";

/** Presents an upload with a new signed URL. */
export async function presentUpload(
  { id, storageKey, format, sha256, sizeBytes, width, height, expiresAt }: Upload,
  { config, storage }: Needs<"config" | "storage">,
): Promise<UploadResponse> {
  const signed = await storage.sign(storageKey, {
    expiresInSeconds: config.URL_LIFE_SECONDS,
    downloadName: `upload-${id}.${format}`,
  });
  return {
    id,
    url: signed.url,
    expires_at: signed.expiresAt.toISOString(),
    kept_until: expiresAt.toISOString(),
    hash: sha256,
    size_bytes: sizeBytes,
    width,
    height,
    format,
  };
}
