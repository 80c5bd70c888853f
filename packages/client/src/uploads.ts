import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import { readJson } from "./transport.ts";
import type { Bytes, Upload } from "./types.ts";

export interface Uploads {
  /**
   * Uploads a PNG, JPEG, WebP or AVIF. Requests refer to it by its `id` as `upload_id`. A retried upload may
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
  create(bytes: Bytes, options?: CallOptions): Promise<Upload>;
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

export function createUploads({ call, send }: Api): Uploads {
  const headers = { "Content-Type": "application/octet-stream" };
  return {
    create: (body, options) =>
      send("POST /v1/uploads", readJson<Upload>, { body, headers, ...options }),
    get: (uploadId, options) => call("GET /v1/uploads/{id}", { params: { uploadId }, ...options }),
    delete: (uploadId, options) =>
      call("DELETE /v1/uploads/{id}", { params: { uploadId }, ...options }),
  };
}
