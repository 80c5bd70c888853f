import { isRedisUrl, readRedisAddress } from "@atelier/configuration";
import { Redis } from "ioredis";
import pg from "pg";
import { defaultSilentMs, schema } from "./backend.ts";
import { redisOptions } from "./redis.ts";

/**
 * Removes all entries of the queues, as after a restore of the database: recovery adds the renders that
 * are ready. Other keys of a shared Redis stay.
 */
export async function emptyQueues(queueUrl: string): Promise<void> {
  if (!isRedisUrl(queueUrl)) return emptyPostgres(queueUrl);
  const address = readRedisAddress(queueUrl);
  const options = redisOptions(address, { blocking: false, silentMs: defaultSilentMs });
  const client = new Redis({ ...options, lazyConnect: true });
  // The command that waits for it fails with the same error.
  client.on("error", () => undefined);
  try {
    await client.connect();
    for (let cursor = "0"; ;) {
      const [next, keys] = await client.scan(
        cursor,
        "MATCH",
        `${address.prefix}:*`,
        "COUNT",
        1_000,
      );
      if (keys.length > 0) await client.unlink(keys);
      if (next === "0") return;
      cursor = next;
    }
  } finally {
    client.disconnect();
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
