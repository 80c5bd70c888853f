import { pathSegment, withQuery } from "./addresses.ts";
import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import { readJson } from "./transport.ts";
import type { ChangeCollectionRequest, Collection, CollectionList, KeptQuery } from "./types.ts";

export interface Collections {
  /**
   * Creates a collection, or returns the one that has the name.
   *
   * @throws ConflictError `too_many_items`.
   *
   * @example
   * ```ts
   * const { id } = await atelier.collections.create("Covers of May");
   * await atelier.collections.update(id, { add: [jobId] });
   * const { jobs } = await atelier.jobs.list({ collection: id });
   * console.log(jobs.length);
   * ```
   */
  create(name: string, options?: CallOptions): Promise<Collection>;
  /**
   * Returns a page of the account's collections, the newest first.
   *
   * @example
   * ```ts
   * const { collections, next_cursor } = await atelier.collections.list({ limit: 10 });
   * console.log(collections.map(({ name, jobs }) => [name, jobs]), next_cursor);
   * ```
   */
  list(query?: KeptQuery, options?: CallOptions): Promise<CollectionList>;
  /**
   * Reads the name of a collection and the number of its jobs.
   *
   * @example
   * ```ts
   * const { name, jobs } = await atelier.collections.get(collectionId);
   * console.log(name, jobs);
   * ```
   */
  get(collectionId: string, options?: CallOptions): Promise<Collection>;
  /**
   * Renames a collection, and adds and removes up to 100 jobs.
   *
   * @throws NotFoundError `job_not_found`; ConflictError `too_many_items`.
   *
   * @example
   * ```ts
   * const { jobs } = await atelier.collections.update(collectionId, { remove: [jobId] });
   * console.log(jobs);
   * ```
   */
  update(
    collectionId: string,
    change: ChangeCollectionRequest,
    options?: CallOptions,
  ): Promise<Collection>;
  /**
   * Deletes a collection; its jobs stay.
   *
   * @example
   * ```ts
   * await atelier.collections.delete(collectionId);
   * ```
   */
  delete(collectionId: string, options?: CallOptions): Promise<void>;
}

export function createCollections(api: Api): Collections {
  const path = (id: string) => `/v1/collections/${pathSegment("collectionId", id)}`;
  return {
    create: async (name, options) =>
      api.post("/v1/collections", { name }, readJson<Collection>, options),
    list: (query = {}, options) =>
      api.getJson<CollectionList>(withQuery("/v1/collections", { ...query }), options),
    get: async (id, options) => api.getJson<Collection>(path(id), options),
    update: async (id, change, options) => api.patchJson<Collection>(path(id), change, options),
    delete: async (id, options) => api.delete(path(id), options),
  };
}
