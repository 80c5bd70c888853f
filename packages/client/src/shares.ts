import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type { CreatedShare, KeptQuery, NewShare, Share, ShareList } from "./types.ts";

export interface Shares {
  /**
   * Creates a link that shows images of a completed job to anyone who has it. The link is returned once.
   *
   * @throws NotFoundError `job_not_found`, `file_not_found`; ConflictError `too_many_items`,
   *   `keep_quota_exceeded`.
   *
   * @example
   * ```ts
   * const { url, expires_at } = await atelier.shares.create({ job_id: jobId, days: 7, keep: true });
   * console.log(url, expires_at);
   * ```
   */
  create(share: NewShare, options?: CallOptions): Promise<CreatedShare>;
  /**
   * Returns a page of the account's shares, the newest first.
   *
   * @example
   * ```ts
   * const { shares } = await atelier.shares.list();
   * console.log(shares.map(({ id, expires_at }) => [id, expires_at]));
   * ```
   */
  list(query?: KeptQuery, options?: CallOptions): Promise<ShareList>;
  /**
   * Reads what a share shows and when it ends.
   *
   * @example
   * ```ts
   * const { expires_at } = await atelier.shares.get(shareId);
   * console.log(expires_at);
   * ```
   */
  get(shareId: string, options?: CallOptions): Promise<Share>;
  /**
   * Ends a link at once. The job and its images stay.
   *
   * @example
   * ```ts
   * await atelier.shares.delete(shareId);
   * ```
   */
  delete(shareId: string, options?: CallOptions): Promise<void>;
}

export function createShares({ call }: Api): Shares {
  return {
    create: (body, options) => call("POST /v1/shares", { body, ...options }),
    list: (query, options) => call("GET /v1/shares", { query, ...options }),
    get: (shareId, options) => call("GET /v1/shares/{id}", { params: { shareId }, ...options }),
    delete: (shareId, options) =>
      call("DELETE /v1/shares/{id}", { params: { shareId }, ...options }),
  };
}
