import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyMigrations, createDatabase } from "@atelier/database";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "@atelier/embedded-postgres";
import {
  createDatabaseFromTemplate,
  freePorts,
  startRedis,
  startS3,
  startTcpProxy,
  templateName,
  type RunningService,
  type TcpProxy,
} from "@atelier/test-services";
import { startStack, type Behaviour, type Stack } from "@atelier/testing";
import type { RenderStep } from "../apps/worker/src/failpoint.ts";
import { emptyQueue } from "../apps/worker/test/faults.ts";
import { keepAlive, type KeptAlive } from "./keep-alive.ts";
import { createRandom } from "./random.ts";
import type { Service } from "./schedule.ts";

/** The service as in production, with a proxy before everything it needs, and nothing that heals it. */
export interface Site {
  readonly stack: Stack;
  readonly proxies: ReadonlyMap<Service, TcpProxy>;
  readonly workers: readonly KeptAlive[];
  readonly api: KeptAlive;
  /** Has a worker die at a step of the next render that comes to it; at none for null. */
  dieAt(worker: number, step: RenderStep | null): Promise<void>;
  /** As after a power cut: nothing is flushed, connections break, and the log is replayed. */
  restartPostgres(): Promise<void>;
  /** Another server takes its place, with nothing in it. */
  restartRedis(): Promise<void>;
  emptyQueue(): Promise<void>;
  /** Whether the provider answers as a bad day has it. */
  misbehave(on: boolean): void;
  stop(): Promise<void>;
}

export interface SiteOptions {
  readonly directory: string;
  readonly queue: "redis" | "postgres";
  readonly storage: "files" | "s3";
  readonly workers: number;
  readonly seed: number;
}

/** What the provider may do to a call while it misbehaves. */
const misbehaviours: readonly [Behaviour, ...Behaviour[]] = [
  { kind: "image" },
  { kind: "fail", status: 500 },
  { kind: "fail", status: 503 },
  { kind: "rate-limit", retryAfterSeconds: 1 },
  { kind: "cut-short" },
  { kind: "garbage" },
  { kind: "hang" },
];

const noStep = "no step";

/** Starts all of it. Everything that is started ends with `stop`. */
export async function startSite(options: SiteOptions): Promise<Site> {
  const { directory } = options;
  const [postgresPort = 0] = await freePorts(1);
  const startPostgres = () =>
    startEmbeddedPostgres({
      directory: join(directory, "postgres"),
      port: postgresPort,
      password: "chaos",
    });
  let postgres: EmbeddedPostgres = await startPostgres();
  await createDatabaseFromTemplate(postgres.url("postgres"), templateName, "template0");
  await applyMigrations(postgres.url(templateName));

  const proxies = new Map<Service, TcpProxy>();
  const behindProxy = async (service: Service, url: string) => {
    const proxy = await startTcpProxy(url);
    proxies.set(service, proxy);
    return proxy.url;
  };

  const cacheDirectory = join(import.meta.dirname, "../node_modules/.cache/test-services");
  const log = (line: string) => process.stderr.write(`${line}\n`);
  let redis = options.queue === "redis" ? await available(startRedisIn("redis-0")) : null;
  let redisServers = 1;
  function startRedisIn(name: string) {
    return startRedis({ directory: join(directory, name), cacheDirectory, log });
  }
  const s3 =
    options.storage === "s3"
      ? await available(startS3({ directory: join(directory, "s3"), cacheDirectory, log }))
      : null;

  const redisUrl = redis && (await behindProxy("queue", redis.url));
  const stack = await startStack({
    postgresUrl: await behindProxy("Postgres", postgres.url("postgres")),
    redisUrl,
    s3Url: s3 && (await behindProxy("storage", s3.url)),
    workers: 0,
    environment: {
      IMAGE_DEADLINE_SECONDS: "90",
      STORY_DEADLINE_SECONDS: "120",
      GENERATIONS_PER_MINUTE: "100000",
      OTHER_REQUESTS_PER_MINUTE: "100000",
      MAX_UNFINISHED_JOBS: "10000",
      PROVIDER_TIMEOUT_SECONDS: "5",
      WORKER_CONCURRENCY: "3",
    },
  });
  const providerUrl = await behindProxy("provider", stack.provider.url);

  const failpointFile = (worker: number) => join(directory, `failpoint-${worker}`);
  const workers = await Promise.all(
    Array.from({ length: options.workers }, async (_, worker) =>
      keepAlive(async () => {
        await writeFile(failpointFile(worker), noStep);
        return stack.startWorker({
          FAKE_PROVIDER_URL: providerUrl,
          FAILPOINT_FILE: failpointFile(worker),
        });
      }),
    ),
  );
  // Past the proxy: what empties the queue is no client of it.
  const direct = createDatabase({
    url: postgres.url(new URL(stack.environment["DATABASE_URL"] ?? "").pathname.slice(1)),
    poolSize: 1,
    applicationName: "test",
    onConnectionError: () => undefined,
  });

  const random = createRandom(options.seed);
  let misbehaves = false;
  stack.provider.behave(() => (misbehaves ? random.pick(misbehaviours) : { kind: "image" }));
  const api = await keepAlive(() => stack.startApi(), stack.api);

  return {
    stack,
    proxies,
    workers,
    api,
    dieAt: (worker, step) => writeFile(failpointFile(worker), step ?? noStep),
    async restartPostgres() {
      const pidFile = join(directory, "postgres/data/postmaster.pid");
      const [pid] = (await readFile(pidFile, "utf8")).split("\n");
      process.kill(Number(pid), "SIGQUIT");
      await postgres.ended;
      postgres = await startPostgres();
    },
    async restartRedis() {
      await redis?.stop();
      redis = await available(startRedisIn(`redis-${redisServers++}`));
      proxies.get("queue")?.leadTo(Number(new URL(redis.url).port));
      proxies.get("queue")?.trouble("cut");
      proxies.get("queue")?.trouble(null);
    },
    emptyQueue: () => emptyQueue({ ...stack, database: direct }, redis?.url ?? postgres.url("")),
    misbehave(on) {
      misbehaves = on;
    },
    async stop() {
      await Promise.all([api, ...workers].map((program) => program.letGo()));
      await direct.close();
      await stack.stop();
      for (const proxy of proxies.values()) await proxy.stop();
      await redis?.stop();
      await s3?.stop();
      await postgres.stop();
    },
  };
}

/** @throws Error with the reason when it cannot be had here. */
async function available(starting: ReturnType<typeof startRedis>): Promise<RunningService> {
  const service = await starting;
  if ("unavailable" in service) throw new Error(service.unavailable);
  return service;
}
