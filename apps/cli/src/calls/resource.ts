import { readResult } from "@atelier/client/api";
import { splitRoute, type Endpoint } from "@atelier/schemas/endpoints";
import type { Command } from "commander";
import { table } from "../answer.ts";
import type { Call, CallFlags } from "./call.ts";
import { leaf, paged } from "./leaf.ts";

/** The items of a page have the name of the resource. */
type Page = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> & {
  readonly next_cursor: string | null;
};

/**
 * Adds the command `list` of an endpoint that returns pages.
 *
 * @param columns headings, and the properties that they show.
 */
export function addList(
  group: Command,
  call: Call,
  endpoint: Endpoint,
  columns: Readonly<Record<string, string>>,
): void {
  const plural = splitRoute(endpoint).path.split("/").at(-1) ?? "";
  const command = leaf(group, "list", `list ${plural}, the newest first`, { isDefault: true });
  paged(command, (query, flags) =>
    call(async ({ api, follow: { signal } }) => {
      const json = await api.send(endpoint.route, readResult<Page>, { query, signal });
      const rows = (json[plural] ?? []).map((item) =>
        Object.values(columns).map((name) => String(item[name])),
      );
      return {
        json,
        text: table(Object.keys(columns), rows),
        ...(json.next_cursor !== null && { note: `More ${plural}: --cursor ${json.next_cursor}` }),
      };
    }, flags),
  );
}

/** Adds the command `delete` of an endpoint without a response body. */
export function addDelete(
  group: Command,
  call: Call,
  { route }: Endpoint,
  noun: string,
  description = `delete a ${noun}`,
): void {
  leaf(group, "delete", description)
    .argument(`<${noun}-id>`, `id of the ${noun}`)
    .action((id: string, flags: CallFlags) =>
      call(async ({ api, follow: { signal } }) => {
        await api.send(route, readResult, { params: { [`${noun}Id`]: id }, signal });
        return { json: { id }, text: `Deleted ${id}.` };
      }, flags),
    );
}
