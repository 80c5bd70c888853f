import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Stack, TestAccount } from "@atelier/testing";
import { startServices } from "../shared/start-services.ts";
import { median } from "../shared/statistics.ts";
import { startBenchStack } from "./bench-stack.ts";
import { makePhoto } from "./photo.ts";

/**
 * Measures images of a batch beside single jobs: images per second and commits of Postgres per image, from
 * the acceptance to the last image. One worker has four places in the lane, and each call takes a second, so
 * that the provider is the limit. Rounds alternate; images are of 64 × 64 pixels.
 *
 * npm run bench -- batches [--images N] [--rounds N] [--call-ms N] [--redis]
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    images: { type: "string", default: "400" },
    rounds: { type: "string", default: "3" },
    "call-ms": { type: "string", default: "1000" },
    redis: { type: "boolean", default: false },
  },
});
const images = Number(values.images);
const image = { model: "fake-blind", prompt: "a lighthouse on a cliff at dusk" };

interface Measurement {
  readonly perSecond: number;
  readonly commitsPerImage: number;
}

const services = await startServices("batches");
const { directory } = services;
try {
  const photo = join(directory, "photo.png");
  await writeFile(photo, await makePhoto(64));
  const redisUrl = services.queues.find((queue) => queue.redisUrl !== null)?.redisUrl ?? null;
  const stack = await startBenchStack(
    { services, photo },
    {
      redisUrl: values.redis ? redisUrl : null,
      workers: 1,
      environment: { WORKER_CONCURRENCY: "4", BENCH_PROVIDER_DELAY_MS: values["call-ms"] },
    },
  );
  try {
    await compare(stack);
  } finally {
    await stack.stop();
  }
} finally {
  await services.stop();
}

async function compare(stack: Stack): Promise<void> {
  const account = await stack.createAccount("100000");
  const ways = { "single jobs": sendSingles, "a batch": sendBatch };
  const measured = Object.entries(ways).map(([name, send]) => ({
    name,
    send,
    rounds: [] as Measurement[],
  }));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const way of measured) way.rounds.push(await measure(stack, account, way.send));
  }
  const [single, batch] = measured.map(({ name, rounds }) => {
    const perSecond = median(rounds.map((round) => round.perSecond));
    const commitsPerImage = median(rounds.map((round) => round.commitsPerImage));
    const figures = `${perSecond.toFixed(2)} images/s, ${commitsPerImage.toFixed(1)} commits/image`;
    process.stdout.write(`${images} images as ${name}: ${figures}\n`);
    return { perSecond, commitsPerImage };
  });
  if (single === undefined || batch === undefined) throw new Error("nothing was measured");
  const speed = (batch.perSecond / single.perSecond).toFixed(2);
  const commits = (batch.commitsPerImage / single.commitsPerImage).toFixed(2);
  process.stdout.write(`The batch has ${speed} × the images/s and ${commits} × the commits.\n`);
}

async function measure(
  stack: Stack,
  account: TestAccount,
  send: (stack: Stack, account: TestAccount) => Promise<void>,
): Promise<Measurement> {
  await untilIdle(stack);
  const commitsBefore = await countCommits(stack);
  const startedAt = performance.now();
  await send(stack, account);
  const looks = await untilIdle(stack);
  const seconds = (performance.now() - startedAt) / 1_000;
  const commits = (await countCommits(stack)) - commitsBefore - looks;
  return { perSecond: images / seconds, commitsPerImage: commits / images };
}

async function sendSingles(stack: Stack, account: TestAccount): Promise<void> {
  const headers = { Prefer: "respond-async" };
  for (let sent = 0; sent < images; sent += 20) {
    await Promise.all(
      Array.from({ length: Math.min(20, images - sent) }, () =>
        request(stack, account, "/v1/generate/image", image, headers),
      ),
    );
  }
}

async function sendBatch(stack: Stack, account: TestAccount): Promise<void> {
  const requests = Array.from({ length: images }, () => ({ operation: "image", body: image }));
  await request(stack, account, "/v1/batches", { requests });
}

async function request(
  stack: Stack,
  account: TestAccount,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await stack.request(account, "POST", path, body, headers);
  if (!response.ok) throw new Error(await response.text());
  await response.text();
}

/** Waits until no job and no batch is unfinished; returns how often it looked. */
async function untilIdle({ database }: Stack): Promise<number> {
  for (let looks = 1; ; looks++) {
    const open = await database.query(
      `SELECT FROM generation WHERE completed_at IS NULL
        UNION ALL SELECT FROM batch WHERE completed_at IS NULL LIMIT 1`,
    );
    if (open.length === 0) return looks;
    await delay(100);
  }
}

/** Counts the commits of the database, once idle connections have reported theirs: after ten seconds. */
async function countCommits({ database }: Stack): Promise<number> {
  await delay(12_000);
  const [row] = await database.query<{ commits: number }>(
    "SELECT xact_commit::float8 AS commits FROM pg_stat_database WHERE datname = current_database()",
  );
  return row?.commits ?? 0;
}
