import pg from "pg";
import { type Sql, sqlOf } from "./sql.ts";

export interface PipelinedSql extends Sql {
  /** Waits for the statements under way. */
  close(): Promise<void>;
}

/**
 * Statements over one connection, which is opened with the first of them. Those that are asked together
 * are sent together and answered in turn; one that fails leaves the others alone.
 *
 * After a failure of any kind the next statement gets a new connection, as from a pool: this one may be
 * broken, or to a server that should not be asked any more. What was sent over it is still answered.
 */
export function createPipelinedSql(
  config: pg.ClientConfig,
  onConnectionError: (error: Error) => void,
): PipelinedSql {
  let current: Promise<pg.Client> | undefined;
  let closed = false;

  function drop(connection: Promise<pg.Client>): void {
    if (current !== connection) return;
    current = undefined;
    void end(connection);
  }

  function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...config, pipeline: true });
    const connection = client.connect().then(() => client);
    client.on("end", () => drop(connection));
    client.on("error", (error) => {
      drop(connection);
      onConnectionError(error);
    });
    return connection;
  }

  return {
    async query(text, values) {
      if (closed) throw new Error("the database was closed");
      const connection = (current ??= connect());
      try {
        return await sqlOf(await connection).query(text, values);
      } catch (error) {
        drop(connection);
        throw error;
      }
    },
    async close() {
      closed = true;
      if (current !== undefined) await end(current);
    },
  };
}

/** Ends a connection after the statements that were sent over it; one that never opened is none. */
async function end(connection: Promise<pg.Client>): Promise<void> {
  const client = await connection.catch(() => null);
  await client?.end();
}
