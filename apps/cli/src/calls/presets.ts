import type { KeptQuery } from "@atelier/client";
import type { Operation } from "@atelier/schemas";
import { table, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { readRequest } from "./read-request.ts";

export async function list({ atelier, follow }: Caller, query: KeptQuery): Promise<Answer> {
  const page = await atelier.presets.list(query, { signal: follow.signal });
  const rows = page.presets.map(({ id, name, operation, saved_at }) => [
    id,
    name,
    operation,
    saved_at,
  ]);
  return {
    json: page,
    text: table(["ID", "NAME", "OPERATION", "SAVED"], rows),
    ...(page.next_cursor !== null && { note: `More presets: --cursor ${page.next_cursor}` }),
  };
}

/** Saves the properties of a file under a name, and prints the id. */
export async function save(
  { atelier, follow }: Caller,
  name: string,
  operation: Operation,
  file: string,
): Promise<Answer> {
  const request = await readRequest(file, "a request");
  const preset = await atelier.presets.save(
    { name, operation, request },
    { signal: follow.signal },
  );
  return { json: preset, text: preset.id };
}

export async function show({ atelier, follow }: Caller, id: string): Promise<Answer> {
  const preset = await atelier.presets.get(id, { signal: follow.signal });
  return { json: preset, text: JSON.stringify(preset.request, null, 2) };
}

export async function remove({ atelier, follow }: Caller, id: string): Promise<Answer> {
  await atelier.presets.delete(id, { signal: follow.signal });
  return { json: { id }, text: `Deleted ${id}.` };
}
