import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
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

export function createCollections({ call }: Api): Collections {
  return {
    create: (name, options) => call("POST /v1/collections", { body: { name }, ...options }),
    list: (query, options) => call("GET /v1/collections", { query, ...options }),
    get: (collectionId, options) =>
      call("GET /v1/collections/{id}", { params: { collectionId }, ...options }),
    update: (collectionId, body, options) =>
      call("PATCH /v1/collections/{id}", { params: { collectionId }, body, ...options }),
    delete: (collectionId, options) =>
      call("DELETE /v1/collections/{id}", { params: { collectionId }, ...options }),
  };
}
