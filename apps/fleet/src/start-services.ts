import { join } from "node:path";
import { applyMigrations, setRoleDefaults } from "@atelier/database";
import {
  freePorts,
  type RunningService,
  startEmbeddedPostgres,
  startRedis,
  startS3,
  type Unavailable,
} from "@atelier/local-services";
import type { Settings } from "./settings.ts";

/** Values of DATABASE_URL, QUEUE_URL and STORAGE_URL for a fleet. */
export interface ServiceUrls {
  readonly database: string;
  /** The same database without a pooler. */
  readonly directDatabase: string;
  /** Null selects the database. */
  readonly queue: string | null;
  readonly storage: string;
}

interface ServicesOptions extends Pick<Settings, "queue" | "storage"> {
  /** Directory for data and logs. */
  readonly directory: string;
  /** Services that are already running. */
  readonly externalUrls: {
    readonly database: string | undefined;
    readonly directDatabase: string | undefined;
    readonly queue: string | undefined;
    readonly storage: string | undefined;
  };
  readonly log: (line: string) => void;
}

/**
 * Starts the missing services (Postgres, Redis and S3, as in the tests) and migrates the database.
 *
 * @param closing closes the started services, also when a later step fails.
 * @throws Error when a service is not available on this machine.
 */
export async function startServices(
  { directory, externalUrls: given, log, ...wanted }: ServicesOptions,
  closing: AsyncDisposableStack,
): Promise<ServiceUrls> {
  const stopLater = (service: RunningService | Unavailable, instead: string): string => {
    if ("unavailable" in service) throw new Error(`${service.unavailable}. ${instead}`);
    closing.defer(service.stop);
    return service.url;
  };
  const database = given.database ?? (await startPostgres(join(directory, "postgres"), closing));
  let { queue = null, storage = `file:${join(directory, "images")}` } = given;
  if (given.queue === undefined && wanted.queue === "redis") {
    const redis = await startRedis({ directory: join(directory, "redis"), log });
    queue = stopLater(redis, "Set QUEUE_URL, or use --queue postgres.");
  }
  if (given.storage === undefined && wanted.storage === "s3") {
    const s3 = await startS3({ directory: join(directory, "s3"), log });
    storage = stopLater(s3, "Set STORAGE_URL, or use --storage files.");
  }
  const directDatabase = given.directDatabase ?? database;
  await applyMigrations(directDatabase);
  // A pooler passes on no startup parameters.
  if (given.directDatabase !== undefined) await setRoleDefaults(directDatabase);
  return { database, directDatabase, queue, storage };
}

/** With full durability, as in production, because benchmarks run on it. */
async function startPostgres(directory: string, closing: AsyncDisposableStack): Promise<string> {
  const [port = 0] = await freePorts(1);
  const server = await startEmbeddedPostgres({ directory, port, password: "fleet" });
  closing.defer(() => server.stop());
  return server.url("postgres");
}
