import pg from "pg";
import { type Sql, sqlOf } from "./sql.ts";

export interface PipelinedSql extends Sql {
  /** Waits for the statements under way. */
  close(): Promise<void>;
}

/**
 * Statements over one connection, which is opened with the first of them and anew after it broke. Those
 * that are asked together are sent together and answered in turn; one that fails leaves the others alone.
 */
export function createPipelinedSql(
  config: pg.ClientConfig,
  onConnectionError: (error: Error) => void,
): PipelinedSql {
  let current: Promise<pg.Client> | undefined;

  // Those that wait for it fail with it; whoever comes next begins anew.
  function drop(connection: Promise<pg.Client>): void {
    if (current === connection) current = undefined;
  }

  function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...config, pipeline: true });
    const connection = client.connect().then(() => client);
    connection.catch(() => drop(connection));
    client.on("end", () => drop(connection));
    client.on("error", (error) => {
      drop(connection);
      onConnectionError(error);
    });
    return connection;
  }

  return {
    async query(text, values) {
      const connection = (current ??= connect());
      try {
        return await sqlOf(await connection).query(text, values);
      } catch (error) {
        // The server says so before it ends the connection.
        if (error instanceof pg.DatabaseError && error.severity === "FATAL") drop(connection);
        throw error;
      }
    },
    async close() {
      const last = await current?.catch(() => undefined);
      current = undefined;
      await last?.end();
    },
  };
}
