import pg from "pg";
import { type Sql, sqlOf } from "./sql.ts";

interface PipelinedSql extends Sql {
  /** Waits for running statements, then closes the connection. */
  close(): Promise<void>;
}

/**
 * Pipelines statements over one connection, which is opened on first use. Concurrent statements are sent
 * together and answered in order. A failed statement does not affect the others.
 *
 * After any failure the next statement uses a new connection, since this one may be broken or lead to a
 * server that was replaced. Statements already sent over the old one still get their responses.
 */
export function createPipelinedSql(
  config: pg.ClientConfig,
  {
    isPooled,
    onConnectionError,
  }: { readonly isPooled: boolean; readonly onConnectionError: (error: Error) => void },
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
        return await sqlOf(await connection, isPooled).query(text, values);
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

/** Closes a connection after its pending statements; a no-op if it never connected. */
async function end(connection: Promise<pg.Client>): Promise<void> {
  const client = await connection.catch(() => null);
  await client?.end();
}
