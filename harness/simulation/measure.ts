import { createDatabase } from "@atelier/database";
import type { Stack } from "@atelier/testing";
import { Redis } from "ioredis";
import { generateImage, startBenchStack } from "../bench/bench-stack.ts";
import { readProcessTime } from "../bench/process-time.ts";
import type { BenchServices } from "../shared/start-services.ts";
import { median, percentile } from "../shared/statistics.ts";
import type { Configuration } from "./configuration.ts";

/** CPU time of one image by program, in milliseconds. */
export interface CpuTimes {
  /** The clients, which share the machine. */
  readonly clients: number;
  readonly api: number;
  readonly workers: number;
  readonly postgres: number;
  readonly redis: number;
}

export interface Measurement {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly cpu: CpuTimes;
  /** Median time that a worker waits for the storage, before and after marking. */
  readonly stagingMs: number;
  readonly uploadMs: number;
  /** Time in Postgres by step, in milliseconds of one image, as `pg_stat_statements` counts it. */
  readonly statements: StatementTimes;
}

/** The steps that hold the lock of an account until their commit, and all others. */
export interface StatementTimes {
  readonly accept: number;
  readonly finish: number;
  readonly others: number;
}

/** Measurements of all configurations: the medians of the rounds. */
export interface Measured {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly rounds: number;
  readonly flushMs: number;
  readonly configurations: readonly (Configuration & { readonly measured: Measurement })[];
}

/** Images of each worker before the measured ones, so that its code is compiled. */
const warmUpImages = 200;

/**
 * Measures the whole service on this machine, with its queue in Redis.
 *
 * @param photos files of the images by their edge.
 */
export async function measure(
  services: BenchServices,
  photos: Readonly<Record<Configuration["edge"], string>>,
  configuration: Configuration,
  seconds: number,
): Promise<Measurement> {
  const redisUrl = services.queues.find((queue) => queue.redisUrl !== null)?.redisUrl ?? null;
  if (redisUrl === null) throw new Error("Redis is not available");
  const stack = await startBenchStack(
    { services, photo: photos[configuration.edge] },
    {
      redisUrl,
      workers: configuration.workers,
      environment: {
        WORKER_CONCURRENCY: String(configuration.concurrency),
        WORKER_THREADS: String(configuration.threads),
        WORKER_LANES: "fake-blind",
        BENCH_PROVIDER_DELAY_MS: String(configuration.providerMs),
      },
    },
  );
  const redis = new Redis(redisUrl);
  try {
    const accounts = await Promise.all(
      Array.from({ length: configuration.accounts }, () => stack.createAccount("1000000")),
    );
    await stack.database.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    const run = async (isOver: (done: number) => boolean): Promise<number[]> => {
      const latencies: number[] = [];
      await Promise.all(
        Array.from({ length: configuration.clients }, async (_, client) => {
          const account = accounts[client % accounts.length];
          if (account === undefined) throw new Error("there is no account");
          while (!isOver(latencies.length)) {
            const startedAt = performance.now();
            await generateImage(stack, account);
            latencies.push(performance.now() - startedAt);
          }
        }),
      );
      return latencies;
    };
    await setCommitDelay(stack, configuration.commitDelayMs);
    await run((done) => done >= warmUpImages * configuration.workers);
    await stack.database.query("SELECT pg_stat_statements_reset()");
    const before = await readCpu(stack, services, redis);
    const startedAt = performance.now();
    const latencies = await run(() => performance.now() >= startedAt + seconds * 1_000);
    const elapsed = (performance.now() - startedAt) / 1_000;
    const after = await readCpu(stack, services, redis);
    const images = latencies.length;
    const of = (name: keyof CpuTimes) => ((after[name] - before[name]) * 1_000) / images;
    return {
      perSecond: images / elapsed,
      medianMs: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      cpu: {
        clients: of("clients"),
        api: of("api"),
        workers: of("workers"),
        postgres: of("postgres"),
        redis: of("redis"),
      },
      stagingMs: await readStep(stack, "staging"),
      uploadMs: await readStep(stack, "upload"),
      statements: await readStatements(stack, images),
    };
  } finally {
    await setCommitDelay(stack, 0);
    redis.disconnect();
    await stack.stop();
  }
}

/** Measures the commit of one row by one client: the median in milliseconds. */
export async function measureCommit({ postgresUrl }: BenchServices): Promise<number> {
  const database = createDatabase({ url: postgresUrl, poolSize: 1, applicationName: "bench" });
  try {
    await database.query("CREATE TABLE bench_commit (id int)");
    const durations: number[] = [];
    for (let index = 0; index < 500; index++) {
      const startedAt = performance.now();
      await database.query("INSERT INTO bench_commit VALUES (1)");
      durations.push(performance.now() - startedAt);
    }
    await database.query("DROP TABLE bench_commit");
    return median(durations);
  } finally {
    await database.close();
  }
}

/** The leader of a group commit waits before it writes: a slow disk, or a synchronous replica. */
async function setCommitDelay({ database }: Stack, delayMs: number): Promise<void> {
  await database.query(`ALTER SYSTEM SET commit_delay = ${delayMs * 1_000}`);
  await database.query("ALTER SYSTEM SET commit_siblings = 0");
  await database.query("SELECT pg_reload_conf()");
}

/** CPU time since the start of each program, in seconds. */
async function readCpu(stack: Stack, services: BenchServices, redis: Redis): Promise<CpuTimes> {
  const { user, system } = process.cpuUsage();
  const [api, workers, postgres, info] = await Promise.all([
    readProcessTime(stack.api.pid),
    readProcessTime(...stack.workers.map(({ pid }) => pid)),
    readProcessTime(services.postgresPid),
    redis.info("cpu"),
  ]);
  const redisTime = (name: string) =>
    Number(new RegExp(String.raw`${name}:([\d.]+)`).exec(info)?.[1] ?? Number.NaN);
  return {
    clients: (user + system) / 1_000_000,
    api,
    workers,
    postgres,
    redis: redisTime("used_cpu_sys") + redisTime("used_cpu_user"),
  };
}

async function readStatements({ database }: Stack, images: number): Promise<StatementTimes> {
  const rows = await database.query<{ step: keyof StatementTimes; ms: number }>(
    `SELECT CASE WHEN query LIKE '%INSERT INTO generation %' OR query LIKE '%INSERT INTO generation(%' THEN 'accept'
                 WHEN query LIKE '%INSERT INTO image %' OR query LIKE '%INSERT INTO image(%' THEN 'finish'
                 ELSE 'others' END AS step,
            sum(total_exec_time)::float8 AS ms
       FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      GROUP BY step`,
  );
  const timeOf = (step: keyof StatementTimes) =>
    (rows.find((row) => row.step === step)?.ms ?? 0) / images;
  return { accept: timeOf("accept"), finish: timeOf("finish"), others: timeOf("others") };
}

/** The median duration of a step of the latest images, from the logs of the workers. */
async function readStep({ workers }: Stack, step: string): Promise<number> {
  const logs = await Promise.all(workers.map((worker) => worker.log()));
  const durations = logs.flatMap((log) =>
    log
      .split("\n")
      .filter((line) => line.includes('"render done"') && line.endsWith("}"))
      .map((line) => (JSON.parse(line) as LogLine).durationsMs?.[step])
      .filter((duration) => duration !== undefined)
      .slice(-200),
  );
  return median(durations);
}

interface LogLine {
  /** Durations by step of a render. */
  readonly durationsMs?: Readonly<Record<string, number>>;
}
