import { join } from "node:path";
import { createDatabase } from "@atelier/database";
import { startEmbeddedPostgres } from "@atelier/embedded-postgres";
import type { Settings } from "./settings.ts";
import { findFreePort } from "./ports.ts";
import { supervise, type Running, type Supervised, type Supervision } from "./supervise.ts";

export interface Postgres {
  /** Where the service's own database is. */
  readonly url: string;
  /** Null when it is not ours. */
  readonly port: number | null;
  /** What has to be stopped in the end. */
  readonly processes: readonly Supervised[];
}

const databaseName = "atelier";
const stopTimeoutMs = 1_500;

/**
 * Starts the embedded Postgres on the data in `$ATELIER_HOME/postgres`, with our database in it, and
 * keeps it up, on the same port each time. Nothing is started where the user named a database.
 */
export async function openPostgres(
  settings: Pick<Settings, "home" | "databaseUrl">,
  password: string,
  supervision: Supervision,
): Promise<Postgres> {
  if (settings.databaseUrl !== null) {
    return { url: settings.databaseUrl, port: null, processes: [] };
  }
  const directory = join(settings.home, "postgres");
  const port = await findFreePort();
  const start = () => startServer(directory, port, password);
  // Without it nothing goes on, and what keeps it from starting may pass, as a full disk does: it is
  // given up after some eight minutes.
  const patience = { maxQuickDeaths: 11, backOffMs: 1_000 };
  const server = await supervise({ name: "Postgres", start, ...patience }, supervision);
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
  // SIGQUIT leaves at once; what was committed is in its log and read on the next start.
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
    const there = await server.query("SELECT 1 FROM pg_database WHERE datname = $1", [
      databaseName,
    ]);
    if (there.length === 0) await server.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await server.close();
  }
}
