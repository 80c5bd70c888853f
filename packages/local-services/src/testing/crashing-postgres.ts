import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../embedded-postgres/embedded-postgres.ts";
import { freePorts } from "../free-ports.ts";

/** A Postgres of one test, which can crash. */
export interface CrashingPostgres {
  url(database: string): string;
  /** Kills the server and starts it again on the same data and port. */
  crash(): Promise<void>;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

/** @param settings of Postgres, in addition to `fsync = off`: the machine itself does not crash. */
export async function startCrashingPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<CrashingPostgres> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-crashing-postgres-"));
  const [port = 0] = await freePorts(1);
  const start = () =>
    startEmbeddedPostgres({
      directory,
      port,
      password: "test",
      settings: { fsync: "off", ...settings },
    });
  let server = await start();
  return {
    url: (database) => server.url(database),
    async crash() {
      process.kill(server.pid, "SIGQUIT");
      await server.ended;
      server = await start();
    },
    async close() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
