import { parseArgs } from "node:util";
import { claimWebhook, releaseWebhook } from "@atelier/events";
import { startStack, threadPerCore, type Stack } from "@atelier/testing";
import { startServices } from "../shared/start-services.ts";
import { percentile } from "../shared/statistics.ts";
import { startWebhookReceiver, type Arrival } from "./webhook-receiver.ts";

/**
 * Measures webhooks while many deliveries of other, paused ones are pending: the time of a claim, the time
 * from an event until another account receives it, and how fast pending deliveries are sent.
 *
 * npm run bench -- webhooks [--webhooks N] [--pending N] [--claims N] [--jobs N]
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    webhooks: { type: "string", default: "24" },
    pending: { type: "string", default: "100000" },
    claims: { type: "string", default: "1000" },
    jobs: { type: "string", default: "60" },
  },
});
const webhooks = Number(values.webhooks);
const pending = Number(values.pending);
const backlogs = [2_500, 5_000, 10_000, 20_000];

let onArrival: (arrival: Arrival) => void = () => undefined;
const receiver = await startWebhookReceiver((arrival) => onArrival(arrival));

const services = await startServices("webhooks");
try {
  const stack = await startStack({
    postgresUrl: services.postgresUrl,
    processes: true,
    workers: 0,
    environment: {
      ...threadPerCore,
      ...receiver.environment,
      GENERATIONS_PER_MINUTE: "100000",
      // The defaults instead of the short times of tests.
      RECOVERY_INTERVAL_SECONDS: "",
      RECOVERY_AFTER_SECONDS: "",
      WORKER_LOCK_SECONDS: "",
    },
  });
  try {
    await addPaused(stack);
    await measureClaims(stack, "nothing due");
    await measureClaims(stack, "a due delivery", await makeWebhook(stack, "/claimed"));
    await stack.startWorker();
    await measureDelay(stack);
    for (const size of backlogs) await measureDrain(stack, size);
    await measureClaims(stack, "nothing due, after the sent ones");
  } finally {
    await stack.stop();
  }
} finally {
  receiver.close();
  await services.stop();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describe(times: readonly number[]): string {
  const at = (share: number) => percentile(times, share).toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`;
}

/** Creates a webhook of an account of its own, and returns its id. */
async function makeWebhook(stack: Stack, path: string): Promise<string> {
  return receiver.add(stack, await stack.createAccount(), path);
}

async function addDeliveries({ database }: Stack, webhookId: string, count: number): Promise<void> {
  const batch = 25_000;
  for (let from = 1; from <= count; from += batch) {
    await database.query(
      `INSERT INTO webhook_delivery (webhook_id, event_id, type, data)
       SELECT $1, number, 'webhook.test', '{}' FROM generate_series($2::int, $3::int) AS number`,
      [webhookId, from, Math.min(count, from + batch - 1)],
    );
  }
}

async function addPaused(stack: Stack): Promise<void> {
  for (let index = 0; index < webhooks; index++) {
    const id = await makeWebhook(stack, "/paused");
    await stack.database.query("UPDATE webhook SET paused_until = 'infinity' WHERE id = $1", [id]);
    await addDeliveries(stack, id, pending);
  }
  await stack.database.query("ANALYZE webhook_delivery");
  print(`${webhooks} paused webhooks with ${pending} pending deliveries each`);
}

/** @param dueId a webhook that has a due delivery in each round. */
async function measureClaims(stack: Stack, name: string, dueId?: string): Promise<void> {
  const { database } = stack;
  const times: number[] = [];
  if (dueId !== undefined) await addDeliveries(stack, dueId, 1);
  for (let round = 0; round < Number(values.claims); round++) {
    const startedAt = performance.now();
    const { claimed } = await claimWebhook(database, 30_000);
    times.push(performance.now() - startedAt);
    if ((claimed?.id ?? null) !== (dueId ?? null)) throw new Error("another webhook was claimed");
    if (claimed !== null) {
      await releaseWebhook(database, claimed, { kind: "unchanged", concurrency: 4 });
    }
  }
  if (dueId !== undefined) {
    await database.query("UPDATE webhook_delivery SET status = 'failed' WHERE webhook_id = $1", [
      dueId,
    ]);
  }
  print(`a claim, ${name}: ${describe(times)}`);
}

/** Measures the time from the event that a job is completed until its webhook receives it. */
async function measureDelay(stack: Stack): Promise<void> {
  const account = await stack.createAccount();
  await receiver.add(stack, account, "/measured");
  const delays: number[] = [];
  for (let job = 0; job < Number(values.jobs); job++) {
    const { promise: received, resolve } = Promise.withResolvers<Arrival>();
    onArrival = resolve;
    await stack.request(account, "POST", "/v1/generate/image", {
      model: "fake-blind",
      prompt: "a quiet harbour",
    });
    const { at, body } = await received;
    const { data } = JSON.parse(body) as { data: { id: string } };
    const [event] = await stack.database.query<{ createdAt: Date }>(
      `SELECT created_at AS "createdAt" FROM event
        WHERE generation_id = $1 AND type = 'job.completed'`,
      [data.id],
    );
    delays.push(at - (event?.createdAt.getTime() ?? Number.NaN));
  }
  print(`from the event of another account to its receiver: ${describe(delays)}`);
}

async function measureDrain(stack: Stack, size: number): Promise<void> {
  const path = `/drained-${size}`;
  const id = await makeWebhook(stack, path);
  let count = 0;
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  onArrival = (arrival) => {
    if (arrival.path === path && ++count === size) resolve();
  };
  await stack.database.query("UPDATE webhook SET paused_until = 'infinity' WHERE id = $1", [id]);
  await addDeliveries(stack, id, size);
  const startedAt = performance.now();
  await stack.database.query("UPDATE webhook SET paused_until = NULL WHERE id = $1", [id]);
  await stack.database.query("SELECT pg_notify('webhook_delivery', '')");
  await drained;
  const seconds = (performance.now() - startedAt) / 1_000;
  print(
    `${size} pending deliveries of one webhook: ${seconds.toFixed(1)} s, ${Math.round(size / seconds)}/s`,
  );
}
