import type { RedisAddress } from "@atelier/configuration";
import { once } from "node:events";
import { Cluster, Redis, type ClusterOptions, type RedisOptions } from "ioredis";

const connectTimeoutMs = 10_000;

/** Response timeout of a node that is asked for the nodes of the cluster, in milliseconds. */
const slotsTimeoutMs = 5_000;

/** Response timeout of a sentinel in milliseconds; then the next one is asked. */
const sentinelTimeoutMs = 2_000;

/** Longest delay between two attempts to find the new primary, in milliseconds. */
const longestSearchMs = 2_000;

interface ConnectionBehaviour {
  readonly blocking: boolean;
  readonly silentMs: number;
}

/**
 * A client of a cluster, which connects when it is used. BullMQ makes clients of its own for workers.
 *
 * @param options see `readQueueUrl`.
 */
export function createCluster(
  address: RedisAddress,
  behaviour: ConnectionBehaviour,
  overrides: Pick<ClusterOptions, "clusterRetryStrategy"> = {},
): Cluster {
  const { host: _host, port: _port, db: _db, ...redis } = redisOptions(address, behaviour);
  return new Cluster([...address.nodes], {
    lazyConnect: true,
    enableOfflineQueue: behaviour.blocking,
    slotsRefreshTimeout: slotsTimeoutMs,
    redisOptions: { ...redis, connectTimeout: connectTimeoutMs },
    ...overrides,
  });
}

/**
 * The start of a lane's keys. A cluster keeps all keys with the same text in braces in one node, which
 * BullMQ's scripts require; lanes are on different nodes.
 */
export function lanePrefix({ kind, prefix }: RedisAddress, lane: string): string {
  return kind === "cluster" ? `{${prefix}:${lane}}` : prefix;
}

/**
 * Options of a connection to a Redis.
 *
 * @param options see `readQueueUrl`.
 */
export function redisOptions(
  address: RedisAddress,
  { blocking, silentMs }: ConnectionBehaviour,
): Omit<RedisOptions, "replyMapping"> {
  return {
    ...(address.kind === "sentinel" ? sentinelOptions(address) : address.nodes[0]),
    db: address.database,
    ...(address.username === null ? {} : { username: address.username }),
    ...(address.password === null ? {} : { password: address.password }),
    ...(address.isEncrypted ? { tls: {} } : {}),
    maxRetriesPerRequest: blocking ? null : 1,
    enableOfflineQueue: blocking,
    // A Redis that hangs must not block callers with a waiting client.
    ...(blocking ? {} : { commandTimeout: 5_000 }),
    socketTimeout: silentMs,
  };
}

function sentinelOptions(address: RedisAddress): RedisOptions {
  const { nodes, primaryName, isEncrypted, sentinelUsername, sentinelPassword } = address;
  const retryDelay = (attempts: number) => Math.min(attempts * 100, longestSearchMs);
  return {
    sentinels: [...nodes],
    name: primaryName,
    ...(sentinelUsername === null ? {} : { sentinelUsername }),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    ...(isEncrypted ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    // A sentinel that hangs must not hold up the search.
    sentinelCommandTimeout: sentinelTimeoutMs,
    connectTimeout: connectTimeoutMs,
    sentinelRetryStrategy: retryDelay,
    retryStrategy: retryDelay,
    // A primary that has become a replica; the command is sent to the new one.
    reconnectOnError: ({ message }) => (message.startsWith("READONLY") ? 2 : false),
  };
}

/**
 * Connects to a Redis once.
 *
 * @throws Error when it is unreachable or refuses the credentials.
 */
export async function greetRedis(address: RedisAddress, silentMs: number): Promise<void> {
  if (address.kind === "cluster") return greetCluster(address, silentMs);
  const client = new Redis({
    ...redisOptions(address, { blocking: false, silentMs }),
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  // These events carry the cause; the pending connect only rejects with "connection closed".
  let failure: Error | null = null;
  client.on("error", (error) => (failure ??= error));
  const answers: string[] = [];
  client.on("sentinelError", ({ message }: Error) => void answers.push(message));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw describeSentinels(answers, address) ?? failure ?? error;
  } finally {
    client.disconnect();
  }
}

/** The error for sentinels that answered but named no primary; null if none answered. */
function describeSentinels(
  answers: readonly string[],
  { primaryName }: RedisAddress,
): Error | null {
  if (answers.some((answer) => /No such master|got an invalid reply/.test(answer))) {
    return new Error(`the sentinels monitor no primary with the name "${primaryName}"`);
  }
  const [refusal] = answers.flatMap((answer) => /(NOAUTH|WRONGPASS|NOPERM).*/.exec(answer) ?? []);
  return refusal === undefined ? null : new Error(`the sentinels refuse the password: ${refusal}`);
}

async function greetCluster(address: RedisAddress, silentMs: number): Promise<void> {
  const behaviour = { blocking: false, silentMs };
  const client = createCluster(address, behaviour, { clusterRetryStrategy: () => null });
  let failure: Error | null = null;
  client.on("node error", (error: Error) => (failure ??= error));
  // `connect` below reports it, without the cause.
  client.on("error", () => undefined);
  const ended = once(client, "end").then(() => {
    throw failure ?? new Error("Connection is closed: not all slots of the cluster are served");
  });
  // Nothing waits for the end of a client that has connected.
  ended.catch(() => undefined);
  try {
    await Promise.race([client.connect(), ended]);
    await client.ping();
  } catch (error) {
    throw failure ?? error;
  } finally {
    client.disconnect();
  }
}
