import { isRedisUrl, readRedisAddress } from "@atelier/configuration";
import { idleConnectionMs } from "@atelier/database";
import {
  createPostgresBackend,
  createRedisBackend,
  runMigrations,
  type BackendFactory,
  type ConnectionOptions,
} from "bullmq";
import pg from "pg";
import { createCluster, greetRedis, lanePrefix, redisOptions } from "./redis.ts";
import { makeUnlogged } from "./unlogged.ts";

/** BullMQ connection options for the store of a queue URL. */
interface Backend {
  readonly connection: ConnectionOptions;
  /** Start of the keys of a lane's queue; Redis only. */
  readonly prefixOf: (lane: string) => string;
  readonly factory: BackendFactory;
  readonly isPostgres: boolean;
  /** Closes what queues share; workers share nothing. Call it after they are closed. */
  readonly close: () => Promise<void>;
}

/** Schema of the queues in Postgres. */
export const schema = "bullmq";

const applicationName = "atelier-queue";

const connectTimeoutMs = 10_000;

/** Longer than the ten seconds for which a worker may block waiting for a job. */
export const defaultSilentMs = 15_000;

/**
 * Commits of the queue do not wait for the disk. Almost all of them contain a NOTIFY, and Postgres
 * commits those one at a time, in the whole database. Recovery restores the queue after a crash.
 */
const asynchronousCommits = "-c synchronous_commit=off";

/**
 * Connects to the store of a queue URL and prepares it for queues.
 *
 * @throws Error when the store is unreachable or refuses the credentials, so that a start never waits
 *   silently.
 */
export async function prepareStore(queueUrl: string, silentMs = defaultSilentMs): Promise<void> {
  if (isRedisUrl(queueUrl)) await greetRedis(readRedisAddress(queueUrl), silentMs);
  else await migrate(queueUrl);
}

/** Migrates the schema, without a timeout; safe when several processes do it at once. */
async function migrate(queueUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: queueUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: applicationName,
    // Overrides the defaults of the role.
    options: "-c statement_timeout=0 -c lock_timeout=0",
  });
  // A broken connection fails the running statement; without a listener it would crash the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await runMigrations(client, schema);
    await makeUnlogged(client, schema);
  } finally {
    await client.end();
  }
}

/**
 * Reads a queue URL: `postgres://…` keeps the queues in the schema `bullmq` of that database,
 * `redis://…`, `redis+sentinel://…` or `redis+cluster://…` in a Redis or Valkey, under `?prefix=…` (`atelier`) where several
 * installations share one.
 *
 * @param blocking whether commands wait without a limit (workers) or fail when the store is unavailable
 *   (callers with a waiting client).
 * @param silentMs response timeout in ms. A connection without a response for this long counts as lost,
 *   as when its host disappeared, and is replaced.
 * @throws Error when the URL has another scheme or an invalid part.
 */
export function readQueueUrl(
  queueUrl: string,
  blocking: boolean,
  silentMs = defaultSilentMs,
): Backend {
  if (isRedisUrl(queueUrl)) {
    const address = readRedisAddress(queueUrl);
    const shared = {
      prefixOf: (lane: string) => lanePrefix(address, lane),
      factory: createRedisBackend,
      isPostgres: false,
    };
    if (address.kind === "cluster") {
      const cluster = createCluster(address, { blocking, silentMs });
      return {
        ...shared,
        connection: cluster,
        close: async () => cluster.disconnect(),
      };
    }
    const connection = redisOptions(address, { blocking, silentMs }) as ConnectionOptions;
    return { ...shared, connection, close: async () => undefined };
  }
  if (!/^postgres(ql)?:/.test(queueUrl)) {
    throw new Error("QUEUE_URL must start with postgres: or redis:");
  }
  return {
    // BullMQ types its connections for Redis; the factory accepts these options as well.
    connection: {
      connectionString: queueUrl,
      schema,
      max: blocking ? 5 : 3,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleConnectionMs,
      query_timeout: silentMs,
      keepAlive: true,
      application_name: applicationName,
      options: asynchronousCommits,
    },
    prefixOf: () => "atelier",
    factory: createPostgresBackend as unknown as Backend["factory"],
    isPostgres: true,
    close: async () => undefined,
  };
}
