import type { Collection } from "@atelier/schemas/endpoints";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";
import { useSession } from "../session.ts";
import { queryClient } from "./queries.ts";
import { readAllPages } from "./read-all-pages.ts";
import { sessionSignal } from "./session-signal.ts";

/** Jobs that one request may add or remove. */
const mostJobs = 100;

/** All collections of the account, newest first. Needs the scope `read`. */
export const collectionsQuery = queryOptions({
  queryKey: ["collections"],
  queryFn: async ({ signal }) => {
    const pages = await readAllPages((cursor) =>
      call("GET /v1/collections", { query: { limit: 100, cursor }, signal }),
    );
    return pages.flatMap(({ collections }) => collections);
  },
});

/** The collections of the account; none for sessions that may not read them. */
export function useCollections(): readonly Collection[] {
  const { scopes } = useSession();
  const { data } = useQuery({ ...collectionsQuery, enabled: scopes.includes("read") });
  return data ?? [];
}

/** Whether the session may change collections. */
export function useCanCollect(): boolean {
  const { scopes } = useSession();
  return scopes.includes("read") && scopes.includes("generate");
}

/** Creates a collection, or returns the one that has the name. */
export async function createCollection(name: string): Promise<Collection> {
  const created = await call("POST /v1/collections", { body: { name } });
  await queryClient.invalidateQueries(collectionsQuery);
  return created;
}

/** Gives a collection another name. */
export async function renameCollection(id: string, name: string): Promise<void> {
  await call("PATCH /v1/collections/{id}", { id, body: { name } });
  await queryClient.invalidateQueries(collectionsQuery);
}

/** Deletes a collection; its jobs stay. */
export async function deleteCollection(id: string): Promise<void> {
  await call("DELETE /v1/collections/{id}", { id });
  await queryClient.invalidateQueries(collectionsQuery);
}

/** Adds jobs to a collection, or removes them, and returns it. Can be repeated. */
export async function changeCollection(
  id: string,
  change: "add" | "remove",
  jobIds: readonly string[],
): Promise<Collection | undefined> {
  const signal = sessionSignal();
  let changed: Collection | undefined;
  for (let at = 0; at < jobIds.length; at += mostJobs) {
    signal.throwIfAborted();
    const part = jobIds.slice(at, at + mostJobs);
    changed = await call("PATCH /v1/collections/{id}", { id, body: { [change]: part } });
  }
  await Promise.all([
    queryClient.invalidateQueries(collectionsQuery),
    // The lists that are limited to it.
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [list, query] }) =>
        list === "library" && typeof query === "string" && query.includes(`collection=${id}`),
    }),
  ]);
  return changed;
}
