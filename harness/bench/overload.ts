import { setTimeout as delay } from "node:timers/promises";
import { auditDatabase } from "@atelier/audit";
import { startStack, threadPerCore, type Stack, type TestAccount } from "@atelier/testing";
import { startServices } from "../shared/start-services.ts";
import { percentile } from "../shared/statistics.ts";

/**
 * Measures overload: one account sends twice the load that the machine can handle, as a Poisson
 * process, while another account occasionally requests an image. Accepted requests must meet their
 * deadline, excess requests must be refused before any amount is held, and the other account must
 * see little delay.
 *
 * npm run bench:overload -- [--json]
 */
const json = process.argv.includes("--json");
const providerMs = 200;
const deadlineSeconds = 60;
const measureSeconds = 10;
const floodSeconds = 60;
const body = { model: "fake-blind", prompt: "a lighthouse on a cliff at dusk" };

const services = await startServices("overload");
const stack = await startStack({
  postgresUrl: services.postgresUrl,
  processes: true,
  redisUrl: services.queues[0]?.redisUrl ?? null,
  environment: {
    ...threadPerCore,
    WORKER_CONCURRENCY: "4",
    WORKER_LOCK_SECONDS: "30",
    IMAGE_DEADLINE_SECONDS: String(deadlineSeconds),
    MAX_QUEUE_AGE_SECONDS: "10",
    MAX_UNFINISHED_JOBS: "1000000",
    GENERATIONS_PER_MINUTE: "1000000",
  },
});
try {
  stack.provider.behave(async () => {
    await delay(providerMs);
    return { kind: "image" };
  });
  process.exitCode = (await run(stack)) ? 0 : 1;
} finally {
  await stack.stop();
  await services.stop();
}

/** @returns whether all promises were kept. */
async function run(service: Stack): Promise<boolean> {
  const { database } = service;
  const busy = await service.createAccount("100000");
  const other = await service.createAccount("1000");
  const sustained = await measureSustained(busy);
  const alone = await trickle(other, measureSeconds);

  const offered = sustained * 2;
  const flooding = flood(busy, offered);
  const neighbour = await trickle(other, floodSeconds);
  const answers = await flooding;

  await untilAllFinal();
  const jobs = await database.query<{ status: string; code: string | null; count: number }>(
    `SELECT status, error->>'error' AS code, count(*)::int AS count FROM generation GROUP BY 1, 2`,
  );
  const late = jobs.filter(({ status }) => status !== "completed");
  const broken = (await auditDatabase(database)).filter(({ violations }) => violations > 0);
  const p95AloneMs = percentile(alone, 0.95);
  const p95BesideMs = percentile(neighbour, 0.95);
  const results = {
    sustainedPerSecond: sustained,
    offeredPerSecond: offered,
    accepted: answers.get(202) ?? 0,
    refused: (answers.get(503) ?? 0) + (answers.get(429) ?? 0),
    otherAnswers: [...answers].filter(([status]) => ![202, 429, 503].includes(status)),
    p95AloneMs,
    p95BesideMs,
    ratio: p95BesideMs / p95AloneMs,
    notCompleted: late,
    broken,
  };
  process.stdout.write(
    json
      ? `${JSON.stringify(results)}\n`
      : [
          `Sustained ${sustained.toFixed(1)} images a second; offered ${offered.toFixed(1)} for ${floodSeconds} s by one account`,
          `Accepted ${results.accepted}, refused before anything was held ${results.refused}`,
          `Accepted and not completed by the deadline of ${deadlineSeconds} s: ${late.reduce((sum, { count }) => sum + count, 0)}`,
          `Another account's images, p95: ${p95AloneMs.toFixed(0)} ms alone, ${p95BesideMs.toFixed(0)} ms beside the flood (${results.ratio.toFixed(2)} times)`,
          `Broken invariants: ${broken.length}`,
          "",
        ].join("\n"),
  );
  return late.length === 0 && broken.length === 0 && results.otherAnswers.length === 0;
}

/** Measures images per second with a full queue. */
async function measureSustained(account: TestAccount): Promise<number> {
  const endsAt = performance.now() + measureSeconds * 1_000;
  let completed = 0;
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      while (performance.now() < endsAt) {
        await (await stack.request(account, "POST", "/v1/generate/image", body)).text();
        completed++;
      }
    }),
  );
  return completed / measureSeconds;
}

/**
 * Generates images one after another with a pause between them; returns the duration of each in ms.
 */
async function trickle(account: TestAccount, seconds: number): Promise<number[]> {
  const endsAt = performance.now() + seconds * 1_000;
  const tookMs: number[] = [];
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    const response = await stack.request(account, "POST", "/v1/generate/image", body);
    if (response.status !== 200) throw new Error(await response.text());
    await response.text();
    tookMs.push(performance.now() - startedAt);
    await delay(400);
  }
  return tookMs;
}

/**
 * Sends requests as a Poisson process, independent of the responses; returns the number of
 * responses by status.
 */
async function flood(account: TestAccount, perSecond: number): Promise<Map<number, number>> {
  const endsAt = performance.now() + floodSeconds * 1_000;
  const statuses = new Map<number, number>();
  const sent: Promise<void>[] = [];
  const headers = { Prefer: "respond-async" };
  async function send(): Promise<void> {
    const response = await stack.request(account, "POST", "/v1/generate/image", body, headers);
    await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  }
  while (performance.now() < endsAt) {
    sent.push(send());
    await delay((-Math.log(1 - Math.random()) / perSecond) * 1_000);
  }
  await Promise.all(sent);
  return statuses;
}

async function untilAllFinal(): Promise<void> {
  for (;;) {
    const open = await stack.database.query(
      "SELECT 1 FROM generation WHERE completed_at IS NULL LIMIT 1",
    );
    if (open.length === 0) return;
    await delay(200);
  }
}
