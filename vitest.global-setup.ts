import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "@atelier/database";
import {
  createDatabaseFromTemplate,
  findChromium,
  startPgBouncer,
  startPostgres,
  startRedis,
  startS3,
  templateName,
  type FoundChromium,
  type RunningService,
  type Unavailable,
} from "@atelier/local-services";
import { createQueues } from "@atelier/queue";
import type { TestProject } from "vitest/node";

/** Bytes: the databases of a run, their log and the files of stacks take less than 2 GB. */
const neededMemory = 8e9;

/**
 * Finds or starts the real services of a project's tests, once for all its files: Postgres, and for the
 * projects `stacks` and `faults` also Redis, S3 and PgBouncer. With REQUIRE_ALL_SUITES=1 a service that is not
 * available fails the run instead of skipping suites.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(await findFolder(), "atelier-test-"));
  // Postgres may run as another user than the one who runs the tests.
  await chmod(directory, 0o755);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const start = { log };

  const isDefaultStack = project.name === "integration" || project.name === "alone";
  const [postgres, redis, s3, chromium] = await Promise.all([
    startPostgres({
      directory: join(directory, "postgres"),
      externalUrl: process.env["TEST_DATABASE_URL"],
    }),
    isDefaultStack
      ? null
      : startRedis({
          ...start,
          directory: join(directory, "redis"),
          externalUrl: process.env["REDIS_URL"],
        }),
    isDefaultStack
      ? null
      : startS3({
          ...start,
          directory: join(directory, "s3"),
          externalUrl: process.env["TEST_STORAGE_URL"],
        }),
    findChromium({ executable: process.env["CHROMIUM_PATH"] }),
  ]);
  const pooler = isDefaultStack
    ? null
    : await startPgBouncer({
        ...start,
        directory: join(directory, "pgbouncer"),
        postgresUrl: postgres.url,
        poolSize: 8,
      });
  const stop = async () => {
    for (const service of [pooler, redis, s3]) {
      if (service !== null && "stop" in service) await service.stop();
    }
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await createDatabaseFromTemplate(postgres.url, templateName, "template0");
    const templateUrl = withDatabase(postgres.url, templateName);
    await applyMigrations(templateUrl);
    // Each stack would create the tables of the queue otherwise.
    const queues = await createQueues({ url: templateUrl, lanes: [], onError: () => undefined });
    await queues.close();
    project.provide("postgresUrl", postgres.url);
    project.provide("directory", directory);
    project.provide("redisUrl", urlOrNull("Redis", redis, log));
    project.provide("s3Url", urlOrNull("S3", s3, log));
    project.provide("poolerUrl", urlOrNull("PgBouncer", pooler, log));
    project.provide("chromium", executableOrNull(chromium, log));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/**
 * Finds the folder for the data of the services: in memory when there is enough of it, where creating and
 * removing a database takes half of the CPU time.
 */
async function findFolder(): Promise<string> {
  const inMemory = "/dev/shm";
  const free = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(free, freemem()) > neededMemory ? inMemory : tmpdir();
}

function urlOrNull(
  name: string,
  service: RunningService | Unavailable | null,
  log: (line: string) => void,
): string | null {
  if (service === null) return null;
  if ("url" in service) return service.url;
  return missing(name, service, log);
}

function executableOrNull(
  chromium: FoundChromium | Unavailable,
  log: (line: string) => void,
): string | null {
  if ("executable" in chromium) return chromium.executable;
  return missing("Chromium", chromium, log);
}

function missing(name: string, { unavailable }: Unavailable, log: (line: string) => void): null {
  const line = `No ${name} for tests, its suites are skipped: ${unavailable}`;
  if (process.env["REQUIRE_ALL_SUITES"] === "1") throw new Error(line);
  log(line);
  return null;
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
