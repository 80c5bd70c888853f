import { join } from "node:path";
import { applyMigrations } from "@atelier/database";
import { startEmbeddedPostgres } from "@atelier/embedded-postgres";
import {
  createDatabaseFromTemplate,
  freePorts,
  startRedis,
  templateName,
} from "@atelier/test-services";

export interface BenchServices {
  readonly postgresUrl: string;
  readonly queues: readonly { readonly name: string; readonly redisUrl: string | null }[];
  stop(): Promise<void>;
}

/** A Postgres as durable as in production, and a Redis where one can be had. */
export async function startServices(directory: string): Promise<BenchServices> {
  const [port = 0] = await freePorts(1);
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, "postgres"),
    port,
    password: "bench",
  });
  const redis = await startRedis({
    directory: join(directory, "redis"),
    externalUrl: process.env["REDIS_URL"],
  });
  const postgresUrl = postgres.url("postgres");
  await createDatabaseFromTemplate(postgresUrl, templateName, "template0");
  await applyMigrations(postgres.url(templateName));
  const redisQueue = "url" in redis ? [{ name: "Redis", redisUrl: redis.url }] : [];
  return {
    postgresUrl,
    queues: [...redisQueue, { name: "Postgres", redisUrl: null }],
    async stop() {
      if ("stop" in redis) await redis.stop();
      await postgres.stop();
    },
  };
}
