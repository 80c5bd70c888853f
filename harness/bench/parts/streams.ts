import { setTimeout as delay } from "node:timers/promises";
import { createAtelier } from "@atelier/client";
import type { Stack, TestAccount } from "@atelier/testing";
import { authorization, startBenchStack } from "../bench-stack.ts";
import type { BenchContext } from "../context.ts";
import { createHttpClient, measureRate } from "../load.ts";
import { openStreams, type StreamAddress } from "../open-streams.ts";
import { readMemory } from "../process-memory.ts";
import type { Parts, StreamCost } from "../results.ts";

const accounts = 100;
/** Half of them of the account, half of one pending job. */
const streamsPerAccount = 20;
const concurrency = 20;
const scenes = 8;
const providerMs = 500;

/**
 * Measures what open event streams cost one API process, and how soon they show an image. First one
 * stream is open, then 2,000 of 100 accounts. While these stay open, stories are watched, each over
 * its own stream.
 */
export async function measureStreams(context: BenchContext): Promise<Parts["streams"]> {
  const stack = await startBenchStack(
    { ...context, photo: context.smallPhoto },
    {
      redisUrl: context.services.queues[0]?.redisUrl ?? null,
      workers: 1,
      environment: {
        WORKER_LANES: "fake-blind",
        BENCH_PROVIDER_DELAY_MS: String(providerMs),
        IMAGE_DEADLINE_SECONDS: "3600",
      },
    },
  );
  try {
    const addresses = await prepareAddresses(stack);
    await warmUp(stack, addresses[0]);
    const [first, ...others] = addresses;
    const one = await openStreams(stack.url, first === undefined ? [] : [first], 1);
    const oneStream = await measureCost(stack, context.seconds);
    context.progress("streams: 1 open");
    const rest = await openStreams(stack.url, others, concurrency);
    const allStreams = await measureCost(stack, context.seconds);
    context.progress(`streams: ${addresses.length} open`);
    const account = await stack.createAccount("1000");
    const latenciesMs: number[] = [];
    for (let round = 1; round <= context.rounds; round++) {
      latenciesMs.push(...(await watchStory(stack, account)));
      context.progress(`streams: story ${round} of ${context.rounds}`);
    }
    const stillOpen = one.count() + rest.count();
    if (stillOpen !== addresses.length) throw new Error(`${stillOpen} streams are still open`);
    one.close();
    rest.close();
    return { streams: addresses.length, accounts, oneStream, allStreams, latenciesMs };
  } finally {
    await stack.stop();
  }
}

/** The streams of all accounts. No worker serves the model of their jobs. */
async function prepareAddresses(stack: Stack): Promise<StreamAddress[]> {
  const addresses: StreamAddress[] = [];
  for (let index = 0; index < accounts; index++) {
    const account = await stack.createAccount("10");
    const headers = authorization(account);
    const body = { model: "fake-resumable", prompt: "a lighthouse on a cliff at dusk" };
    const prefer = { Prefer: "respond-async" };
    const accepted = await stack.request(account, "POST", "/v1/generate/image", body, prefer);
    if (accepted.status !== 202) throw new Error(await accepted.text());
    const { job_id } = (await accepted.json()) as { job_id: string };
    const paths = ["/v1/events", `/v1/jobs/${job_id}/events`];
    for (let count = 0; count < streamsPerAccount; count++) {
      addresses.push({ path: paths[count % 2] ?? "", headers });
    }
  }
  return addresses;
}

/** Opens the database connections of the API and compiles its code before anything is measured. */
async function warmUp(stack: Stack, address: StreamAddress | undefined): Promise<void> {
  if (address === undefined) return;
  const client = createHttpClient(stack.url);
  const { headers } = address;
  await measureRate({ connections: concurrency, seconds: 3 }, () =>
    client.send({ method: "GET", path: "/v1/jobs", headers, expectedStatus: 200 }),
  );
  client.close();
}

/** Measures the API and its database while nothing happens but the reads for its streams. */
async function measureCost(stack: Stack, seconds: number): Promise<StreamCost> {
  // Longer than a heartbeat, so that each stream has received one.
  await delay(20_000);
  const before = await countTransactions(stack);
  await delay(seconds * 1_000);
  const transactions = (await countTransactions(stack)) - before;
  const [sessions] = await stack.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'atelier-api'`,
  );
  const { nowMb, peakMb } = await readMemory(stack.api.pid);
  return {
    memoryMb: nowMb,
    peakMb,
    connections: sessions?.count ?? Number.NaN,
    transactionsPerSecond: transactions / seconds,
  };
}

async function countTransactions({ database }: Stack): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT (xact_commit + xact_rollback)::float8 AS count FROM pg_stat_database
      WHERE datname = current_database()`,
  );
  return row?.count ?? Number.NaN;
}

/**
 * Watches a story with the client.
 *
 * @returns for each image, the time from the start of the transaction that completed it to the arrival
 *   of its event, in ms: a little more than the time since its commit.
 */
async function watchStory(stack: Stack, account: TestAccount): Promise<number[]> {
  const atelier = createAtelier({ baseUrl: stack.url, apiKey: account.key });
  const story = {
    model: "fake-blind",
    characters: [{ name: "Mira", description: "a girl with red hair" }],
    scenes: Array.from({ length: scenes }, (_, scene) => ({ prompt: `Mira on day ${scene + 1}` })),
  };
  const accepted = await stack.request(account, "POST", "/v1/generate/story", story);
  if (accepted.status !== 202) throw new Error(await accepted.text());
  const { job_id } = (await accepted.json()) as { job_id: string };
  const arrivals = new Map<string, number>();
  for await (const { id, type } of atelier.jobs.watch(job_id)) {
    if (id !== null && type === "job.image_completed") arrivals.set(id, Date.now());
  }
  const events = await stack.database.query<{ id: bigint; createdAt: Date }>(
    `SELECT id, created_at AS "createdAt" FROM event
      WHERE generation_id = $1 AND type = 'job.image_completed'`,
    [job_id],
  );
  return events.map(({ id, createdAt }) => {
    const arrivedAt = arrivals.get(String(id));
    if (arrivedAt === undefined) throw new Error(`event ${id} did not arrive`);
    return arrivedAt - createdAt.getTime();
  });
}
