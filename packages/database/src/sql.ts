import type pg from "pg";

/** One statement. `bigint` columns come back as `bigint`, `timestamptz` as `Date`. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Statements over a connection or a pool. */
export function sqlOf(client: Pick<pg.ClientBase, "query">): Sql {
  return {
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      // Named statements are parsed and planned once per connection; the text itself is the name.
      const result = await client.query<Row>({ name: nameOf(text), text, values: [...values] });
      return result.rows;
    },
  };
}

const names = new Map<string, string>();

/** Postgres cuts names at 63 bytes, so a statement is named by its turn, once per process. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `atelier_${names.size}`;
    names.set(text, name);
  }
  return name;
}
