import { startEmbeddedPostgres } from "../embedded-postgres/embedded-postgres.ts";
import pg from "pg";
import { freePorts } from "../free-ports.ts";
import type { RunningService } from "../service.ts";

const password = "test";

/** Stores the password with one round of hashing: clients compute all rounds for each connection. */
async function makeLoginsCheap(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET scram_iterations = 1");
    await client.query(`ALTER ROLE CURRENT_USER PASSWORD '${password}'`);
  } finally {
    await client.end();
  }
}

/**
 * Uses the server at `externalUrl`, or starts the embedded one without durability, since test data is
 * dropped after the run.
 */
export async function startPostgres(options: {
  /** Folder for data and log; unused with `externalUrl`. The caller removes it after `stop`. */
  readonly directory: string;
  /** URL of a running server, which wins and is not stopped. Default: the embedded one is started. */
  readonly externalUrl?: string | undefined;
}): Promise<RunningService> {
  if (options.externalUrl !== undefined) {
    return {
      url: options.externalUrl,
      description: "TEST_DATABASE_URL",
      stop: async () => undefined,
    };
  }
  const [port = 0] = await freePorts(1);
  const server = await startEmbeddedPostgres({
    directory: options.directory,
    port,
    password,
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      // Stacks of several files run at once, and keep the idle connections of their pools.
      max_connections: "1000",
      // Processes that read ahead for others cost more than they save here.
      io_method: "sync",
      jit: "off",
    },
  });
  await makeLoginsCheap(server.url("postgres"));
  return { url: server.url("postgres"), description: "embedded", stop: () => server.stop() };
}
