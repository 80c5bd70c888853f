import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { processTuning } from "@atelier/process";
import { startStack, threadPerCore, type Stack } from "@atelier/testing";
import { startServices } from "../shared/start-services.ts";
import { readProcessTime } from "./process-time.ts";

/**
 * Measures an installation without work, by default of one API and four workers: CPU time of its
 * processes, and the statements that they send to Postgres. Linux only.
 *
 * npm run bench -- idle [--queue postgres|redis] [--workers N] [--seconds N] [--top N]
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    queue: { type: "string", default: "postgres" },
    workers: { type: "string", default: "4" },
    seconds: { type: "string", default: "120" },
    top: { type: "string", default: "12" },
  },
});
const seconds = Number(values.seconds);

/** Starting, and the first rounds of all loops, are not measured. */
const warmUpMs = 20_000;

const services = await startServices("idle", {
  shared_preload_libraries: "pg_stat_statements",
});
try {
  const redisUrl = services.queues.find((queue) => queue.redisUrl !== null)?.redisUrl ?? null;
  if (values.queue === "redis" && redisUrl === null) throw new Error("Redis is not available");
  const stack = await startStack({
    postgresUrl: services.postgresUrl,
    processes: true,
    redisUrl: values.queue === "redis" ? redisUrl : null,
    workers: Number(values.workers),
    workerEntry: "apps/worker/src/main.ts",
    environment: {
      NODE_ENV: "production",
      ...processTuning,
      ...threadPerCore,
      // The defaults instead of the short times of tests.
      CATALOGUE_FILE: "",
      PROVIDERS_FILE: "",
      WORKER_LOCK_SECONDS: "",
      RECOVERY_INTERVAL_SECONDS: "",
      RECOVERY_AFTER_SECONDS: "",
    },
  });
  try {
    await measure(stack);
  } finally {
    await stack.stop();
  }
} finally {
  await services.stop();
}

async function measure({ database, api, workers }: Stack): Promise<void> {
  await database.query("CREATE EXTENSION pg_stat_statements");
  await delay(warmUpMs);
  const processes: Readonly<Record<string, readonly number[]>> = {
    API: [api.pid],
    workers: workers.map(({ pid }) => pid),
    Postgres: [services.postgresPid],
  };
  const readTimes = () =>
    Promise.all(Object.values(processes).map((pids) => readProcessTime(...pids)));
  const before = await readTimes();
  await database.query("SELECT pg_stat_statements_reset()");
  await delay(seconds * 1_000);
  const statements = await database.query<{ text: string; calls: number }>(
    `SELECT query AS text, calls::float8 AS calls FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND query NOT LIKE '%pg_stat_statements%'
      ORDER BY calls DESC`,
  );
  const after = await readTimes();

  const shares = after.map((time, index) => ((time - (before[index] ?? 0)) / seconds) * 100);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const parts = Object.keys(processes).map((name, index) => `${name} ${shares[index]?.toFixed(1)}`);
  const rate = statements.reduce((sum, { calls }) => sum + calls, 0) / seconds;
  const lines = [
    `1 API, ${workers.length} workers, queue in ${values.queue}, ${seconds} s`,
    `CPU: ${total.toFixed(1)} % of a core (${parts.join(", ")})`,
    `statements/s: ${rate.toFixed(2)}`,
    ...statements.slice(0, Number(values.top)).map(({ text, calls }) => {
      const shortened = text.replaceAll(/\s+/g, " ").trim().slice(0, 110);
      return `  ${(calls / seconds).toFixed(2).padStart(6)}  ${shortened}`;
    }),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
