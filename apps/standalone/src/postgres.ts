import { join } from "node:path";
import { createDatabase } from "@atelier/database";
import { startEmbeddedPostgres } from "@atelier/local-services/embedded-postgres";
import type { Settings } from "./settings.ts";
import { findFreePort } from "./ports.ts";
import { supervise, type Running, type Supervised, type Supervision } from "./supervise.ts";

export interface Postgres {
  /** URL of the service's own database, not through a pooler. */
  readonly url: string;
  /** Null for an external database. */
  readonly port: number | null;
  /** Processes to stop at the end. */
  readonly processes: readonly Supervised[];
}

const databaseName = "atelier";
const stopTimeoutMs = 1_500;

/**
 * Starts the embedded Postgres with the data in `$ATELIER_HOME/postgres`, creates the service's
 * database, and restarts the server on the same port when it exits. Starts nothing when the user
 * configured a database.
 */
export async function openPostgres(
  settings: Pick<Settings, "home" | "databaseUrl" | "databaseDirectUrl"> & {
    readonly postgresPort?: number;
  },
  password: string,
  supervision: Supervision,
): Promise<Postgres> {
  if (settings.databaseUrl !== null) {
    return { url: settings.databaseDirectUrl ?? settings.databaseUrl, port: null, processes: [] };
  }
  const directory = join(settings.home, "postgres");
  const port = settings.postgresPort ?? (await findFreePort());
  const start = () => startServer(directory, port, password);
  const server = await supervise({ name: "Postgres", start }, supervision);
  const url = `postgres://atelier:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}`;
  return { url, port, processes: [server] };
}

async function startServer(directory: string, port: number, password: string): Promise<Running> {
  const server = await startEmbeddedPostgres({ directory, port, password });
  let hasEnded = false;
  const ended = server.ended.then(() => {
    hasEnded = true;
    return "the server is gone";
  });
  // SIGQUIT exits at once; the next start recovers committed data from the log.
  const kill = () => void (hasEnded || process.kill(server.pid, "SIGQUIT"));
  const running: Running = {
    pid: server.pid,
    ended,
    async stop() {
      const timer = setTimeout(kill, stopTimeoutMs);
      await server.stop();
      clearTimeout(timer);
    },
    kill,
  };
  try {
    await makeDatabase(server.url("postgres"));
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

async function makeDatabase(serverUrl: string): Promise<void> {
  const server = createDatabase({ url: serverUrl, poolSize: 1, applicationName: "atelier-start" });
  try {
    const existing = await server.query("SELECT 1 FROM pg_database WHERE datname = $1", [
      databaseName,
    ]);
    if (existing.length === 0) await server.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await server.close();
  }
}
