import type pg from "pg";

/** Runs one statement. `bigint` columns are returned as `bigint`, `timestamptz` as `Date`. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * Runs statements over a connection or a pool.
 *
 * @param isPooled whether a pooler in transaction mode is in between. Without one, statements are named,
 *   so that Postgres parses and plans them once per connection. With one, statements have no names,
 *   since each may reach another connection.
 */
export function sqlOf(client: Pick<pg.ClientBase, "query">, isPooled: boolean): Sql {
  return {
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      const statement = { text, values: [...values] };
      const result = await client.query<Row>(
        isPooled ? statement : { ...statement, name: nameOf(text) },
      );
      return result.rows;
    },
  };
}

const names = new Map<string, string>();

/** Numbers the statements of a process: Postgres cuts names at 63 bytes. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `atelier_${names.size}`;
    names.set(text, name);
  }
  return name;
}
