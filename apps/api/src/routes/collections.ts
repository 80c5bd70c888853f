import {
  changeCollection,
  collectionNotFound,
  createCollection,
  deleteCollection,
  findCollection,
  listCollections,
  type StoredCollection,
} from "@atelier/generations";
import {
  changeCollectionRequest,
  collectionId,
  listCollectionsQuery,
  newCollection,
  parseRequest,
  type Collection,
  type CollectionList,
} from "@atelier/schemas";
import type { Request } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { readBody } from "../http/body/read-body.ts";
import { contextOf } from "../http/context.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import type { Routes } from "../http/routes.ts";

/** `/v1/collections`: jobs that the account put together, of the mode of the key. */
export function serveCollections(routes: Routes, dependencies: ApiDependencies): void {
  const { accountGate, database } = dependencies;
  const reading = { limit: "other", scope: "read" } as const;
  const changing = { limit: "other", scope: ["read", "generate"] } as const;

  routes.post("/collections", { ...changing, body: readBody }, async (request, response) => {
    const { caller } = contextOf(response);
    const { name } = parseRequest(newCollection, request.body);
    const { collection, isNew } = await accountGate.run(caller.accountId, () =>
      createCollection(database, caller, name),
    );
    response.status(isNew ? 201 : 200).json(presentCollection(collection));
  });

  const listing = { ...reading, query: listCollectionsQuery };
  routes.get("/collections", listing, async (_request, response, { limit, cursor }) => {
    const { accountId, mode } = contextOf(response).caller;
    const beforeId = readCursor(cursor);
    const found = await listCollections(database, { accountId, mode, beforeId, limit: limit + 1 });
    const { page, nextCursor } = splitPage(found, limit);
    response.json({
      collections: page.map(presentCollection),
      next_cursor: nextCursor,
    } satisfies CollectionList);
  });

  routes.get("/collections/:id", reading, async (request, response) => {
    const { accountId, mode } = contextOf(response).caller;
    const found = await findCollection(database, { accountId, mode, id: readId(request) });
    if (found === null) throw collectionNotFound();
    response.json(presentCollection(found));
  });

  routes.patch("/collections/:id", { ...changing, body: readBody }, async (request, response) => {
    const { caller } = contextOf(response);
    const id = readId(request);
    const change = parseRequest(changeCollectionRequest, request.body);
    const changed = await accountGate.run(caller.accountId, () =>
      changeCollection(database, caller, id, change),
    );
    response.json(presentCollection(changed));
  });

  routes.delete("/collections/:id", changing, async (request, response) => {
    const { caller } = contextOf(response);
    const id = readId(request);
    await accountGate.run(caller.accountId, () => deleteCollection(database, caller, id));
    response.status(204).end();
  });
}

export function presentCollection({ id, name, jobs, createdAt }: StoredCollection): Collection {
  return { id, name, jobs, created_at: createdAt.toISOString() };
}

function readId(request: Request): string {
  const parsed = collectionId.safeParse(request.params["id"]);
  if (!parsed.success) throw collectionNotFound();
  return parsed.data;
}
