import {
  createPostgresBackend,
  createRedisBackend,
  runMigrations,
  type BackendFactory,
  type ConnectionOptions,
} from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import pg from "pg";

/** What BullMQ's classes take to reach the store that a queue URL names. */
export interface Backend {
  readonly connection: ConnectionOptions;
  /** What the keys of all queues start with; Redis only. */
  readonly prefix: string;
  readonly factory: BackendFactory;
}

/** Of the queues in a Postgres. */
const schema = "bullmq";

const applicationName = "atelier-queue";

const connectTimeoutMs = 10_000;

/**
 * Asks for the store that a queue URL names, and makes it ready for queues.
 *
 * @throws Error of the store, or of the way to it: no start waits for a store that is away, or that
 *   does not know us, without a word.
 */
export async function prepareStore(queueUrl: string, silentMs?: number): Promise<void> {
  const { connection, factory } = readQueueUrl(queueUrl, false, silentMs);
  if (factory === createRedisBackend) await greet(connection as RedisOptions);
  else await migrate(queueUrl);
}

async function greet(connection: Omit<RedisOptions, "replyMapping">): Promise<void> {
  const client = new Redis({
    ...connection,
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    retryStrategy: () => null,
  });
  // What went wrong is told here; who waits for the connection is told only that it is closed.
  let failure: Error | null = null;
  client.on("error", (error) => (failure ??= error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw failure ?? error;
  } finally {
    client.disconnect();
  }
}

/** Brings the schema up to date, however long that takes, and by however many processes at once. */
async function migrate(queueUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: queueUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: applicationName,
  });
  // A connection that breaks fails what is under way; without a listener, it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}

/** More than the ten seconds for which a worker may ask to be told of a job. */
const defaultSilentMs = 15_000;

/**
 * Reads a queue URL: `postgres://…` keeps the queues in the schema `bullmq` of that database,
 * `redis://…` or `rediss://…` in a Redis or Valkey, under
 * `?prefix=…` (`atelier`) where several installations share one.
 *
 * @param blocking whether commands may wait for as long as it takes (workers), or fail when the
 *   store is away (everybody who has a client waiting).
 * @param silentMs how long the store may leave a question without an answer: then its connection is
 *   taken for lost, as that of a host which is gone without a word, and another opened.
 * @throws Error when the URL has another scheme.
 */
export function readQueueUrl(
  queueUrl: string,
  blocking: boolean,
  silentMs = defaultSilentMs,
): Backend {
  const url = new URL(queueUrl);
  const prefix = url.searchParams.get("prefix") ?? "atelier";
  switch (url.protocol) {
    case "postgres:":
    case "postgresql:":
      return {
        // BullMQ types its connections for Redis; the factory decides what is really taken.
        connection: {
          connectionString: queueUrl,
          schema,
          max: blocking ? 5 : 3,
          connectionTimeoutMillis: connectTimeoutMs,
          query_timeout: silentMs,
          keepAlive: true,
          application_name: applicationName,
        },
        prefix,
        factory: createPostgresBackend as unknown as Backend["factory"],
      };
    case "redis:":
    case "rediss:":
      return {
        connection: {
          host: url.hostname,
          port: Number(url.port || 6379),
          db: Number(url.pathname.slice(1) || 0),
          ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
          ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
          ...(url.protocol === "rediss:" ? { tls: {} } : {}),
          maxRetriesPerRequest: blocking ? null : 1,
          enableOfflineQueue: blocking,
          // A Redis that hangs must not hang those who have a client waiting.
          ...(blocking ? {} : { commandTimeout: 5_000 }),
          socketTimeout: silentMs,
        },
        prefix,
        factory: createRedisBackend,
      };
    default:
      throw new Error(`QUEUE_URL must start with postgres: or redis:, not ${url.protocol}`);
  }
}
