import {
  changeCollection,
  collections,
  createCollection,
  type StoredCollection,
} from "@atelier/generations/library";
import { itemNotFound } from "@atelier/schemas";
import type { Collection } from "@atelier/schemas/endpoints";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import type { Routes } from "../http/routes.ts";
import { serveItems } from "./items.ts";

/** `/v1/collections`: jobs that the account put together, of the mode of the key. */
export function serveCollections(
  routes: Routes,
  dependencies: Needs<"accountGate" | "database">,
): void {
  const { accountGate, database } = dependencies;
  routes.add(endpoints.createCollection, async ({ caller, body: { name } }) => {
    const { collection, isNew } = await accountGate.run(caller.accountId, () =>
      createCollection(database, caller, name),
    );
    return [isNew ? 201 : 200, presentCollection(collection)] as const;
  });

  routes.add(
    endpoints.changeCollection,
    async ({ caller, params: { id }, body }) =>
      presentCollection(
        await accountGate.run(caller.accountId, () => changeCollection(database, caller, id, body)),
      ),
    { notFound: () => itemNotFound("collections") },
  );
  serveItems(
    routes,
    dependencies,
    {
      list: endpoints.listCollections,
      read: endpoints.readCollection,
      remove: endpoints.deleteCollection,
    },
    collections,
    presentCollection,
  );
}

export function presentCollection({ id, name, jobs, createdAt }: StoredCollection): Collection {
  return { id, name, jobs, created_at: createdAt.toISOString() };
}
