import { pathSegment } from "./addresses.ts";
import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type { Upload } from "./types.ts";

export interface Uploads {
  /**
   * Uploads a PNG, JPEG or WebP. Requests refer to it by its `id` as `upload_id`. A retried upload may
   * leave another copy, which expires.
   *
   * @throws RefusedError `upload_invalid`; ConflictError `upload_quota_exceeded`.
   *
   * @example
   * ```ts
   * const { id } = await atelier.uploads.create(new Uint8Array(await readFile("bay.png")));
   * await atelier.generateEdit({
   *   model: "builtin-illustrator",
   *   prompt: "the same bay at night",
   *   image: { upload_id: id },
   * });
   * ```
   */
  create(bytes: Uint8Array<ArrayBuffer>, options?: CallOptions): Promise<Upload>;
  /**
   * Returns an upload with a new URL.
   *
   * @example
   * ```ts
   * const { url } = await atelier.uploads.get(uploadId);
   * console.log(url);
   * ```
   */
  get(uploadId: string, options?: CallOptions): Promise<Upload>;
  /**
   * Deletes an upload before it expires.
   *
   * @example
   * ```ts
   * await atelier.uploads.delete(uploadId);
   * ```
   */
  delete(uploadId: string, options?: CallOptions): Promise<void>;
}

export function createUploads(api: Api): Uploads {
  const path = (uploadId: string) => `/v1/uploads/${pathSegment("uploadId", uploadId)}`;
  return {
    create: (bytes, options) =>
      api.postBytes<Upload>("/v1/uploads", bytes, "application/octet-stream", options),
    get: (uploadId, options) => api.getJson<Upload>(path(uploadId), options),
    delete: (uploadId, options) => api.delete(path(uploadId), options),
  };
}
