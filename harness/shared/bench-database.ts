import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { startServices } from "./start-services.ts";

/** A migrated, empty database on a Postgres of its own, with full durability. */
export interface BenchDatabase {
  readonly url: string;
  readonly database: Database;
  /** Stops Postgres and deletes its data. */
  close(): Promise<void>;
}

/** Starts a database for a measurement. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-bench-"));
  const services = await startServices(directory);
  const testDatabase = await createTestDatabase(services.postgresUrl);
  const database = createDatabase({
    url: testDatabase.url,
    poolSize: 2,
    applicationName: "bench",
  });
  return {
    url: testDatabase.url,
    database,
    async close() {
      await database.close();
      await services.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
