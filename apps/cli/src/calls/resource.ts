import { readResult, type Endpoints } from "@atelier/client/api";
import { splitRoute, type Endpoint, type ResultOf } from "@atelier/schemas/endpoints";
import type { Command } from "commander";
import { table, type Answer } from "../answer.ts";
import type { Call, CallFlags } from "./call.ts";
import { leaf, paged } from "./leaf.ts";

/** The items of a page, which have the name of the resource. */
type ItemOf<Page> = Extract<Page[keyof Page], readonly unknown[]>[number];

/** The name of a property, or a function for the text of a cell. */
type Column<Item> = (keyof Item & string) | ((item: Item) => string | null);

/**
 * Adds the command `list` of an endpoint that returns pages.
 *
 * @param columns headings, and what they show; null is empty.
 */
export function addList<Of extends Endpoint>(
  group: Command,
  call: Call,
  endpoint: Of,
  columns: Readonly<Record<string, Column<ItemOf<ResultOf<Of>>>>>,
  description = `list ${pluralOf(endpoint)}, the newest first`,
): void {
  const command = leaf(group, "list", description, { isDefault: true });
  showPages(command, call, endpoint, columns);
}

/**
 * Makes a command show the pages of an endpoint.
 *
 * @param noun the resource whose id the path has, if it has one.
 */
export function showPages<Of extends Endpoint>(
  command: Command,
  call: Call,
  endpoint: Of,
  columns: Readonly<Record<string, Column<ItemOf<ResultOf<Of>>>>>,
  noun = "",
): void {
  type Item = ItemOf<ResultOf<Of>>;
  type Page = Readonly<Record<string, readonly Item[]>> & { readonly next_cursor: string | null };
  const plural = pluralOf(endpoint);
  const show = (item: Item, column: Column<Item>) =>
    typeof column === "function" ? (column(item) ?? "") : String(item[column]);
  paged(command, (query, flags, ...ids) =>
    call(async ({ api, follow: { signal } }) => {
      const params = Object.fromEntries(ids.map((id) => [`${noun}Id`, id]));
      const options = { query, params, signal };
      const json = await api.send(endpoint.route, readResult<Page>, options);
      const rows = (json[plural] ?? []).map((item) =>
        Object.values(columns).map((column) => show(item, column)),
      );
      return {
        json,
        text: table(Object.keys(columns), rows),
        ...(json.next_cursor !== null && { note: `More ${plural}: --cursor ${json.next_cursor}` }),
      };
    }, flags),
  );
}

/** Adds the command `show`, or another one, of an endpoint that returns one item. */
export function addShow<Route extends keyof Endpoints>(
  group: Command,
  call: Call,
  { route }: { readonly route: Route },
  noun: string,
  describe: (item: Endpoints[Route]["result"]) => Answer,
  [name, description]: readonly [string, string] = ["show", `show a ${noun}`],
): void {
  leaf(group, name, description)
    .argument(`<${noun}-id>`, `id of the ${noun}`)
    .action((id: string, flags: CallFlags) =>
      call(async ({ api, follow: { signal } }) => {
        const params = { [`${noun}Id`]: id };
        const read = readResult<Endpoints[Route]["result"]>;
        return describe(await api.send(route, read, { params, signal }));
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

function pluralOf(endpoint: Endpoint): string {
  return splitRoute(endpoint).path.split("/").at(-1) ?? "";
}
