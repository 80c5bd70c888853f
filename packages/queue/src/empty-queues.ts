import { isRedisUrl, readRedisAddress } from "@atelier/configuration";
import { Redis, type Cluster } from "ioredis";
import pg from "pg";
import { defaultSilentMs, schema } from "./backend.ts";
import { createCluster, redisOptions } from "./redis.ts";

/**
 * Removes all entries of the queues, as after a restore of the database: recovery adds the renders that
 * are ready. Other keys of a shared Redis stay.
 */
export async function emptyQueues(queueUrl: string): Promise<void> {
  if (!isRedisUrl(queueUrl)) return emptyPostgres(queueUrl);
  const address = readRedisAddress(queueUrl);
  const behaviour = { blocking: false, silentMs: defaultSilentMs };
  if (address.kind === "cluster") {
    const cluster = createCluster(address, behaviour);
    await emptyRedis(cluster, `{${address.prefix}:*`, () => cluster.nodes("master"));
  } else {
    const client = new Redis({ ...redisOptions(address, behaviour), lazyConnect: true });
    await emptyRedis(client, `${address.prefix}:*`, () => [client]);
  }
}

async function emptyRedis(
  client: Redis | Cluster,
  pattern: string,
  nodes: () => readonly Redis[],
): Promise<void> {
  // The command that waits for it fails with the same error.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await Promise.all(nodes().map((node) => emptyNode(node, pattern)));
  } finally {
    client.disconnect();
  }
}

async function emptyNode(node: Redis, pattern: string): Promise<void> {
  for (let cursor = "0"; ;) {
    const [next, keys] = await node.scan(cursor, "MATCH", pattern, "COUNT", 1_000);
    // One at a time, since the keys of several lanes are in different slots of a cluster.
    await Promise.all(keys.map((key) => node.unlink(key)));
    if (next === "0") return;
    cursor = next;
  }
}

async function emptyPostgres(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('${schema}.job') IS NOT NULL AS found`,
    );
    if (rows[0]?.found === true) await client.query(`TRUNCATE ${schema}.job CASCADE`);
  } finally {
    await client.end();
  }
}
