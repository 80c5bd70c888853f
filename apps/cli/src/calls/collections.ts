import type { ChangeCollectionRequest, Collection, KeptQuery } from "@atelier/client";
import { properties, table, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";

export async function list({ atelier, follow }: Caller, query: KeptQuery): Promise<Answer> {
  const page = await atelier.collections.list(query, { signal: follow.signal });
  const rows = page.collections.map(({ id, name, jobs, created_at }) => [
    id,
    name,
    String(jobs),
    created_at,
  ]);
  return {
    json: page,
    text: table(["ID", "NAME", "JOBS", "CREATED"], rows),
    ...(page.next_cursor !== null && { note: `More collections: --cursor ${page.next_cursor}` }),
  };
}

/** Creates a collection, and prints its id. */
export async function create({ atelier, follow }: Caller, name: string): Promise<Answer> {
  const collection = await atelier.collections.create(name, { signal: follow.signal });
  return { json: collection, text: collection.id };
}

export async function update(
  { atelier, follow }: Caller,
  id: string,
  change: ChangeCollectionRequest,
): Promise<Answer> {
  return describe(await atelier.collections.update(id, change, { signal: follow.signal }));
}

export async function remove({ atelier, follow }: Caller, id: string): Promise<Answer> {
  await atelier.collections.delete(id, { signal: follow.signal });
  return { json: { id }, text: `Deleted ${id}.` };
}

function describe(collection: Collection): Answer {
  const { id, name, jobs, created_at } = collection;
  const rows = [
    ["Collection", id],
    ["Name", name],
    ["Jobs", String(jobs)],
    ["Created", created_at],
  ] as const;
  return { json: collection, text: properties(rows) };
}
