import {
  changeCollection,
  collectionNotFound,
  createCollection,
  deleteCollection,
  findCollection,
  listCollections,
  type StoredCollection,
} from "@atelier/generations/library";
import type { Collection } from "@atelier/schemas/endpoints";
import * as endpoints from "@atelier/schemas/endpoints";
import type { ApiDependencies } from "../dependencies.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import type { Routes } from "../http/routes.ts";

const options = { notFound: collectionNotFound };

/** `/v1/collections`: jobs that the account put together, of the mode of the key. */
export function serveCollections(routes: Routes, dependencies: ApiDependencies): void {
  const { accountGate, database } = dependencies;
  routes.add(endpoints.createCollection, async ({ caller, body: { name } }) => {
    const { collection, isNew } = await accountGate.run(caller.accountId, () =>
      createCollection(database, caller, name),
    );
    return [isNew ? 201 : 200, presentCollection(collection)] as const;
  });

  routes.add(endpoints.listCollections, async ({ caller, query: { limit, cursor } }) => {
    const { accountId, mode } = caller;
    const beforeId = readCursor(cursor);
    const found = await listCollections(database, { accountId, mode, beforeId, limit: limit + 1 });
    const { page, nextCursor } = splitPage(found, limit);
    return { collections: page.map(presentCollection), next_cursor: nextCursor };
  });

  routes.add(
    endpoints.readCollection,
    async ({ caller: { accountId, mode }, params: { id } }) => {
      const found = await findCollection(database, { accountId, mode, id });
      if (found === null) throw collectionNotFound();
      return presentCollection(found);
    },
    options,
  );

  routes.add(
    endpoints.changeCollection,
    async ({ caller, params: { id }, body }) =>
      presentCollection(
        await accountGate.run(caller.accountId, () => changeCollection(database, caller, id, body)),
      ),
    options,
  );

  routes.add(
    endpoints.deleteCollection,
    ({ caller, params: { id } }) =>
      accountGate.run(caller.accountId, () => deleteCollection(database, caller, id)),
    options,
  );
}

export function presentCollection({ id, name, jobs, createdAt }: StoredCollection): Collection {
  return { id, name, jobs, created_at: createdAt.toISOString() };
}
