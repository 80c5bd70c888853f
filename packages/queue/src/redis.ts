import type { RedisAddress } from "@atelier/configuration";
import { Redis, type RedisOptions } from "ioredis";

const connectTimeoutMs = 10_000;

/** Response timeout of a sentinel in milliseconds; then the next one is asked. */
const sentinelTimeoutMs = 2_000;

/** Longest delay between two attempts to find the new primary, in milliseconds. */
const longestSearchMs = 2_000;

/**
 * Options of a connection to a Redis.
 *
 * @param options see `readQueueUrl`.
 */
export function redisOptions(
  address: RedisAddress,
  { blocking, silentMs }: { readonly blocking: boolean; readonly silentMs: number },
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
