import type { Caller } from "@atelier/accounts";
import type { Items, SavedItem, SavedItems } from "@atelier/generations/library";
import { itemNotFound } from "@atelier/schemas";
import type { Endpoint, JsonBody, JsonResult, ParamsOf } from "@atelier/schemas/endpoints";
import type { ResourceName } from "@atelier/schemas/resources";
import type * as z from "zod";
import type { Needs } from "../dependencies.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import type { Routes } from "../http/routes.ts";

type Dependencies = Needs<"accountGate" | "database">;

/** The request of any operation on items. */
interface ItemRequest {
  readonly caller: Caller;
  readonly params: ParamsOf<Endpoint>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Adds a route whose record is not known in detail. */
type AddAny = (
  endpoint: Endpoint,
  handler: (request: ItemRequest) => Promise<unknown>,
  options?: object,
) => void;

/** An operation whose body is of this type. */
type Takes<Body> = Endpoint & { readonly body?: JsonBody<z.ZodType<Body>> };

/** An operation that responds with this type. */
type Returns<Item> = Endpoint & { readonly results: { readonly 200: JsonResult<z.ZodType<Item>> } };

/** Adds the routes that list, read and delete the items of a resource. */
export function serveItems<Stored extends { readonly id: string }, Item>(
  routes: Routes,
  { accountGate, database }: Dependencies,
  endpoints: { readonly list: Endpoint; readonly read: Returns<Item>; readonly remove: Endpoint },
  items: Items<Stored>,
  present: (stored: Stored) => Item,
): void {
  const { resource } = items;
  const add = routes.add as AddAny;
  const options = { notFound: () => itemNotFound(resource) };
  add(endpoints.list, async ({ caller: { accountId, mode }, query }) => {
    const { limit, cursor } = query as { readonly limit: number; readonly cursor?: string };
    const beforeId = readCursor(cursor);
    const found = await items.list(database, { accountId, mode, beforeId, limit: limit + 1 });
    const { page, nextCursor } = splitPage(found, limit);
    return { [resource]: page.map(present), next_cursor: nextCursor };
  });
  add(
    endpoints.read,
    async ({ caller: { accountId, mode }, params: { id = "" } }) => {
      const found = await items.find(database, { accountId, mode, id });
      if (found === null) throw itemNotFound(resource);
      return present(found);
    },
    options,
  );
  add(
    endpoints.remove,
    ({ caller, params: { id = "" } }) =>
      accountGate.run(caller.accountId, () => items.remove(database, caller, id)),
    options,
  );
}

/** A resource whose routes and part of the export follow from its records. */
export interface PlainResource {
  readonly resource: ResourceName;
  /** Reads a page of an account as callers see it, the newest first. */
  readonly list: Items<{ readonly id: string }>["list"];
  readonly serve: (routes: Routes, dependencies: Dependencies) => void;
}

/** Creates a resource whose items are saved under a name. */
export function plainResource<Values extends object>(
  items: SavedItems<Values>,
  endpoints: {
    readonly save: Takes<Values & { readonly name: string }>;
    readonly list: Endpoint;
    readonly read: Returns<Values & Stamps>;
    readonly remove: Endpoint;
  },
): PlainResource {
  const present = ({ id, name, createdAt, savedAt, ...values }: SavedItem<Values>) => ({
    ...({ id, name, ...values } as Values & { readonly id: string; readonly name: string }),
    created_at: createdAt.toISOString(),
    saved_at: savedAt.toISOString(),
  });
  return {
    resource: items.resource,
    list: async (...args: Parameters<typeof items.list>) =>
      (await items.list(...args)).map(present),
    serve(routes: Routes, dependencies: Dependencies): void {
      const { accountGate, database } = dependencies;
      (routes.add as AddAny)(endpoints.save, async ({ caller, body }) => {
        const { item, isNew } = await accountGate.run(caller.accountId, () =>
          items.save(database, caller, body as Values & { readonly name: string }),
        );
        return [isNew ? 201 : 200, present(item)];
      });
      serveItems(routes, dependencies, endpoints, items, present);
    },
  };
}

/** The saved item as callers see it. */
interface Stamps {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly saved_at: string;
}
