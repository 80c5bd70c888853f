import { setTimeout as delay } from "node:timers/promises";
import { job, jobAccepted } from "@atelier/schemas";
import { startStack, threadPerCore, type TestAccount } from "@atelier/testing";
import { startServices } from "../shared/start-services.ts";
import { percentile } from "../shared/statistics.ts";

/**
 * Measures the error of `estimated_wait_seconds`: three accounts keep a lane of four slots busy, and
 * the estimate of each new job is compared with the time until a worker started it.
 *
 * npm run bench:waits
 */
const slots = 4;
const batches = [12, 25, 45];
const rounds = 3;

const services = await startServices("waits");
const stack = await startStack({
  postgresUrl: services.postgresUrl,
  processes: true,
  redisUrl: services.queues[0]?.redisUrl ?? null,
  environment: {
    ...threadPerCore,
    WORKER_CONCURRENCY: String(slots),
    WORKER_LOCK_SECONDS: "30",
  },
});

interface Sample {
  readonly estimated: number;
  readonly actual: number;
}

async function accept(account: TestAccount): Promise<string> {
  const body = { model: "fake-blind", prompt: "a lighthouse on a cliff at dusk" };
  const headers = { Prefer: "respond-async" };
  const response = await stack.request(account, "POST", "/v1/generate/image", body, headers);
  return jobAccepted.parse(await response.json()).job_id;
}

async function readJob(account: TestAccount, id: string) {
  const response = await stack.request(account, "GET", `/v1/jobs/${id}`);
  return job.parse(await response.json());
}

/** Sends a batch, reads each estimate two seconds later, and waits for the jobs. */
async function measureBatch(account: TestAccount, count: number): Promise<Sample[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => accept(account)));
  await delay(2_000);
  const estimates = await Promise.all(
    ids.map(async (id) => {
      const at = Date.now();
      return { id, at, estimated: (await readJob(account, id)).estimated_wait_seconds };
    }),
  );
  const samples: Sample[] = [];
  for (const { id, at, estimated } of estimates) {
    let final = await readJob(account, id);
    while (final.completed_at === null) {
      await delay(500);
      final = await readJob(account, id);
    }
    if (estimated == null || final.started_at === null) continue;
    samples.push({ estimated, actual: (Date.parse(final.started_at) - at) / 1_000 });
  }
  return samples;
}

try {
  stack.provider.behave(async () => {
    await delay(300 + Math.random() * 1_500);
    return { kind: "image" };
  });
  const accounts = await Promise.all(batches.map(() => stack.createAccount("1000")));
  const [first] = accounts;
  if (first === undefined) throw new Error("there is no account");
  await Promise.all(Array.from({ length: 8 }, () => accept(first)));
  await delay(10_000);
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    const found = await Promise.all(
      accounts.map((account, index) => measureBatch(account, batches[index] ?? 1)),
    );
    samples.push(...found.flat());
  }
  const errors = samples.map(({ estimated, actual }) => Math.abs(estimated - actual));
  const relative = samples
    .filter(({ actual }) => actual >= 5)
    .map(({ estimated, actual }) => Math.abs(estimated - actual) / actual);
  const results = {
    jobs: samples.length,
    longestWaitSeconds: Math.max(...samples.map(({ actual }) => actual)),
    medianErrorSeconds: percentile(errors, 0.5),
    p90ErrorSeconds: percentile(errors, 0.9),
    medianRelativeErrorFrom5Seconds: percentile(relative, 0.5),
    p90RelativeErrorFrom5Seconds: percentile(relative, 0.9),
  };
  process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
} finally {
  await stack.stop();
  await services.stop();
}
