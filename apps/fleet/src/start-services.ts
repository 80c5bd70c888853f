import { join } from "node:path";
import { applyMigrations } from "@atelier/database";
import { startEmbeddedPostgres } from "@atelier/embedded-postgres";
import {
  freePorts,
  startRedis,
  startS3,
  type RunningService,
  type Unavailable,
} from "@atelier/test-services";
import type { Settings } from "./settings.ts";

/** Where the data of a fleet is: the values of DATABASE_URL, QUEUE_URL and STORAGE_URL. */
export interface ServiceUrls {
  readonly database: string;
  /** Null for the database. */
  readonly queue: string | null;
  readonly storage: string;
}

export interface ServicesOptions extends Pick<Settings, "queue" | "storage"> {
  /** Data and logs. */
  readonly directory: string;
  /** Services that run already. */
  readonly given: {
    readonly database: string | undefined;
    readonly queue: string | undefined;
    readonly storage: string | undefined;
  };
  readonly log: (line: string) => void;
}

/**
 * Starts what is not given: Postgres, Redis and S3, those of the tests, and brings the database up to
 * date.
 *
 * @param closing what was started is closed with it, also when the rest fails.
 * @throws Error when a service cannot be had on this machine.
 */
export async function startServices(
  { directory, given, log, ...wanted }: ServicesOptions,
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
  await applyMigrations(database);
  return { database, queue, storage };
}

/** As durable as in production: benchmarks run on it. */
async function startPostgres(directory: string, closing: AsyncDisposableStack): Promise<string> {
  const [port = 0] = await freePorts(1);
  const server = await startEmbeddedPostgres({ directory, port, password: "fleet" });
  closing.defer(() => server.stop());
  return server.url("postgres");
}
