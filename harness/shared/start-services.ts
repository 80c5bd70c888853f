import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "@atelier/database";
import {
  createDatabaseFromTemplate,
  freePorts,
  startEmbeddedPostgres,
  startRedis,
  templateName,
} from "@atelier/local-services";

export interface BenchServices {
  readonly postgresUrl: string;
  readonly postgresPid: number;
  readonly queues: readonly { readonly name: string; readonly redisUrl: string | null }[];
  /** A folder for files of the measurement, which exists until the services stop. */
  readonly directory: string;
  stop(): Promise<void>;
}

/**
 * Starts a Postgres with full durability, as in production, and a Redis if available, in a temporary folder.
 *
 * @param name of the measurement, which the folder has.
 * @param settings further settings of Postgres.
 */
export async function startServices(
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchServices> {
  const directory = await mkdtemp(join(tmpdir(), `atelier-${name}-`));
  // Postgres may run as another user than the one who measures.
  await chmod(directory, 0o755);
  const [port = 0] = await freePorts(1);
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, "postgres"),
    port,
    password: "bench",
    settings,
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
    postgresPid: postgres.pid,
    queues: [...redisQueue, { name: "Postgres", redisUrl: null }],
    directory,
    async stop() {
      if ("stop" in redis) await redis.stop();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
