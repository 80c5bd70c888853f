import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyMigrations, createDatabase, type Database } from "@atelier/database";
import {
  createDatabaseFromTemplate,
  type EmbeddedPostgres,
  freePorts,
  type RunningService,
  startEmbeddedPostgres,
  startRedis,
  startS3,
  startTcpProxy,
  type TcpProxy,
  templateName,
} from "@atelier/local-services";
import {
  type Behaviour,
  emptyQueue,
  type Stack,
  startStack,
  threadPerCore,
} from "@atelier/testing";
import type { RenderStep } from "../../apps/worker/src/render/failpoint.ts";
import { keepAlive, type KeptAlive } from "./keep-alive.ts";
import { startOwnServers } from "./own-servers.ts";
import { createRandom } from "../shared/random.ts";
import type { Service } from "./schedule.ts";

/**
 * The service as in production, with a proxy in front of every dependency, and no automatic repair.
 */
export interface Site {
  readonly stack: Stack;
  readonly proxies: ReadonlyMap<Service, TcpProxy>;
  readonly workers: readonly KeptAlive[];
  readonly api: KeptAlive;
  /** Makes a worker exit at a step of its next render; null cancels that. */
  dieAt(worker: number, step: RenderStep | null): Promise<void>;
  /** Simulates a power failure: nothing is flushed, connections break, and the log is replayed. */
  restartPostgres(): Promise<void>;
  /**
   * Ends Postgres, deletes its data folder, and starts it again on the one that is restored there.
   *
   * @param restore puts a data folder at this path.
   */
  replacePostgresData(restore: (dataFolder: string) => Promise<void>): Promise<void>;
  /** Replaces the server with an empty one. */
  restartRedis(): Promise<void>;
  emptyQueue(): Promise<void>;
  /** Kills a server of the operator that makes images, and starts it again. */
  killOwnServer(server: number, forMs: number): Promise<void>;
  /** Begins a new period of all budgets, as the first job after midnight does. */
  passMidnight(): Promise<void>;
  /** The database, past its proxy: not as clients and the service reach it. */
  readonly direct: Database;
  /** Settings of operator commands, which reach the database past its proxy. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  /** Folder for backups; it exists. */
  readonly backupsFolder: string;
  /** Whether the provider misbehaves. */
  misbehave(isOn: boolean): void;
  stop(): Promise<void>;
}

interface SiteOptions {
  /** The receiver of webhooks, as `host:port`. */
  readonly receiverHost: string;
  readonly directory: string;
  readonly queue: "redis" | "postgres";
  readonly storage: "files" | "s3";
  readonly workers: number;
  readonly seed: number;
}

/** Possible reactions to a provider call while it misbehaves. */
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

/** The name of a worker in `pg_stat_activity`. */
export function workerName(worker: number): string {
  return `atelier-worker-${worker}`;
}

function withName(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("application_name", name);
  return url.href;
}

/** Starts everything. `stop` ends it. */
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

  const cacheDirectory = join(import.meta.dirname, "../../node_modules/.cache/local-services");
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

  const ownServers = await startOwnServers(directory);
  const redisUrl = redis && (await behindProxy("queue", redis.url));
  const stack = await startStack({
    postgresUrl: await behindProxy("Postgres", postgres.url("postgres")),
    processes: true,
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
      ...threadPerCore,
      SWEEP_INTERVAL_SECONDS: "5",
      UPLOAD_QUOTA_MB: "10000",
      WEBHOOK_PRIVATE_HOSTS: options.receiverHost,
      ...ownServers.environment,
    },
  });
  const providerUrl = await behindProxy("provider", stack.provider.url);

  const failpointFile = (worker: number) => join(directory, `failpoint-${worker}`);
  const workers = await Promise.all(
    Array.from({ length: options.workers }, async (_, worker) =>
      keepAlive(async () => {
        await writeFile(failpointFile(worker), noStep);
        return stack.startWorker({
          DATABASE_URL: withName(stack.environment["DATABASE_URL"] ?? "", workerName(worker)),
          FAKE_PROVIDER_URL: providerUrl,
          FAILPOINT_FILE: failpointFile(worker),
        });
      }),
    ),
  );
  // Bypasses the proxy, because emptying the queue is not a request of a client, and an operator's command
  // is repeated until it succeeds.
  const directUrl = postgres.url(
    new URL(stack.environment["DATABASE_URL"] ?? "").pathname.slice(1),
  );
  const direct = createDatabase({
    url: directUrl,
    poolSize: 1,
    applicationName: "test",
    onConnectionError: () => undefined,
  });

  const dataFolder = join(directory, "postgres/data");
  async function endPostgres(): Promise<void> {
    const [pid] = (await readFile(join(dataFolder, "postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGQUIT");
    await postgres.ended;
  }
  const backupsFolder = join(directory, "backups");
  await mkdir(backupsFolder);

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
      await endPostgres();
      postgres = await startPostgres();
    },
    async replacePostgresData(restore) {
      await endPostgres();
      await rm(dataFolder, { recursive: true });
      await restore(dataFolder);
      postgres = await startPostgres();
    },
    async restartRedis() {
      await redis?.stop();
      redis = await available(startRedisIn(`redis-${redisServers++}`));
      proxies.get("queue")?.forwardTo(Number(new URL(redis.url).port));
      proxies.get("queue")?.setFault("cut");
      proxies.get("queue")?.setFault(null);
    },
    emptyQueue: () => emptyQueue({ ...stack, database: direct }, redis?.url ?? postgres.url("")),
    killOwnServer: (server, forMs) => ownServers.kill(server, forMs),
    passMidnight: () =>
      direct.transaction(async (sql) => {
        // Once no job holds a key, so that all counted jobs are of the old period.
        await sql.query("SELECT FROM api_key ORDER BY id FOR NO KEY UPDATE");
        await sql.query(
          `UPDATE api_key SET budget_period = 'day', spent_since = clock_timestamp(), spent_micro_eur = 0`,
        );
        await sql.query(
          `UPDATE budget SET spent_since = clock_timestamp(), spent_micro_eur = 0, held_micro_eur = 0,
                             is_low = false`,
        );
      }),
    direct,
    operatorEnvironment: {
      DATABASE_URL: directUrl,
      QUEUE_URL: stack.queueUrl === stack.environment["DATABASE_URL"] ? directUrl : stack.queueUrl,
      STORAGE_URL: stack.environment["STORAGE_URL"] ?? "",
    },
    backupsFolder,
    misbehave(isOn) {
      misbehaves = isOn;
    },
    async stop() {
      await Promise.all([api, ...workers].map((program) => program.letGo()));
      await direct.close();
      await stack.stop();
      await ownServers.stop();
      for (const proxy of proxies.values()) await proxy.stop();
      await redis?.stop();
      await s3?.stop();
      await postgres.stop();
    },
  };
}

/** @throws Error with the reason when it is not available here. */
async function available(starting: ReturnType<typeof startRedis>): Promise<RunningService> {
  const service = await starting;
  if ("unavailable" in service) throw new Error(service.unavailable);
  return service;
}
