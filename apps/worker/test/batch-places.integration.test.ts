import { returnToPlaces } from "@atelier/generations/batches";
import { createQueues, serveLane, type Queues } from "@atelier/queue";
import { batch, jobAccepted, type BatchResponse } from "@atelier/schemas";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, afterEach, beforeAll, expect, inject, it } from "vitest";
import { createLogger } from "@atelier/telemetry";
import { startBatchPlaces } from "../src/lanes/batch-places.ts";
import { until } from "./describe-queues.ts";

const lane = "fake-blind";
const places = 4;

let stack: Stack;
let queues: Queues;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      WORKER_CONCURRENCY: String(places),
      // Recovery adds no image.
      RECOVERY_AFTER_SECONDS: "600",
      IMAGE_DEADLINE_SECONDS: "600",
    },
  });
  queues = await createQueues({
    url: stack.queueUrl,
    lanes: [lane],
    onError: () => undefined,
  });
});

afterEach(async () => {
  await assertInvariants(stack.database, undefined, stack.provider.calls);
});

afterAll(async () => {
  await queues.close();
  await stack.stop();
});

const image = { model: lane, prompt: "a lighthouse at dusk" };

async function sendBatch(account: TestAccount, lines: number): Promise<string> {
  const requests = Array.from({ length: lines }, () => ({ operation: "image", body: image }));
  const response = await stack.request(account, "POST", "/v1/batches", { requests });
  return batch.parse(await response.json()).id;
}

async function readBatch(account: TestAccount, id: string): Promise<BatchResponse> {
  return batch.parse(await (await stack.request(account, "GET", `/v1/batches/${id}`)).json());
}

async function sendSingle(account: TestAccount): Promise<string> {
  const headers = { Prefer: "respond-async" };
  const response = await stack.request(account, "POST", "/v1/generate/image", image, headers);
  return jobAccepted.parse(await response.json()).job_id;
}

/** Makes the provider hold its calls; returns the gates of those that arrived. */
function holdEach(): { readonly gates: (() => void)[]; readonly open: () => void } {
  const gates: (() => void)[] = [];
  let isOpen = false;
  stack.provider.behave(async () => {
    if (!isOpen) await new Promise<void>((resolve) => void gates.push(resolve));
    return { kind: "image" };
  });
  return {
    gates,
    open() {
      isOpen = true;
      for (const gate of gates) gate();
    },
  };
}

/** How often workers fetched the images of a batch from the queue. */
async function countFetches(batchId: string): Promise<{ images: number; fetches: number }> {
  const renders = await stack.database.query<{ id: string }>(
    "SELECT render.id FROM render JOIN generation ON generation.id = generation_id WHERE batch_id = $1",
    [batchId],
  );
  const [queue] = queues.bullQueues;
  const jobs = await Promise.all(renders.map(async ({ id }) => queue?.getJob(id)));
  return {
    images: renders.length,
    fetches: jobs.reduce((sum, job) => sum + (job?.attemptsStarted ?? 0), 0),
  };
}

it("uses all places for a batch while no other image comes, and fetches each image once", async () => {
  const account = await stack.createAccount();
  const { gates, open } = holdEach();
  const id = await sendBatch(account, 24);
  await until(() => gates.length === places);
  await until(async () => (await readBatch(account, id)).counts.processing === 24);
  // The others are not in the queue.
  expect(await queues.counts(lane)).toEqual({ waiting: 0, active: places });
  open();
  await until(async () => (await readBatch(account, id)).completed_at !== null);
  expect((await readBatch(account, id)).counts).toMatchObject({ completed: 24, failed: 0 });
  expect(await countFetches(id)).toEqual({ images: 24, fetches: 24 });
});

it("leaves half of the places to other images while they come", async () => {
  const [batchAccount, neighbour] = [await stack.createAccount(), await stack.createAccount()];
  const held = holdEach();
  const first = await sendSingle(neighbour);
  await until(() => held.gates.length === 1);
  const id = await sendBatch(batchAccount, 12);
  const callsOfBatch = async () => {
    const [row] = await stack.database.query<{ running: number }>(
      `SELECT count(*)::int AS running FROM render JOIN generation ON generation.id = generation_id
        WHERE batch_id = $1 AND render.status = 'running'`,
      [id],
    );
    return row?.running ?? 0;
  };
  await until(async () => (await callsOfBatch()) === places / 2);
  await until(() => held.gates.length === 1 + places / 2);
  // A neighbour's image starts at once beside them.
  const second = await sendSingle(neighbour);
  await until(() => held.gates.length === 2 + places / 2);
  expect(await callsOfBatch()).toBe(places / 2);
  held.open();
  await until(async () => (await readBatch(batchAccount, id)).completed_at !== null);
  expect((await readBatch(batchAccount, id)).counts).toMatchObject({ completed: 12, failed: 0 });
  for (const jobId of [first, second]) {
    const job = await stack.request(neighbour, "GET", `/v1/jobs/${jobId}`);
    expect(await job.json()).toMatchObject({ status: "completed" });
  }
});

it("continues a batch when no worker runs that would have added the next image", async () => {
  const account = await stack.createAccount();
  stack.provider.behave(() => ({ kind: "image" }));
  const [worker] = stack.workers;
  await worker?.stop();
  const id = await sendBatch(account, 6);
  await until(async () => (await readBatch(account, id)).counts.processing === 6);
  expect(await queues.counts(lane)).toEqual({ waiting: 0, active: 0 });
  await stack.startWorker();
  await until(async () => (await readBatch(account, id)).completed_at !== null);
  expect((await readBatch(account, id)).counts).toMatchObject({ completed: 6, failed: 0 });
});

it("adds an image again that was taken before the job that returned it ended", async () => {
  const account = await stack.createAccount();
  stack.provider.behave(() => ({ kind: "image" }));
  for (const worker of stack.workers) await worker.stop();
  const id = await sendBatch(account, 1);
  await until(async () => (await readBatch(account, id)).counts.processing === 1);
  const [render] = await stack.database.query<{ id: string }>(
    "SELECT render.id FROM render JOIN generation ON generation.id = generation_id WHERE batch_id = $1",
    [id],
  );
  const renderId = render?.id ?? "";
  const [started, taken, again] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  let fetches = 0;
  const served = await serveLane({
    url: stack.queueUrl,
    onError: () => undefined,
    lane,
    concurrency: 1,
    rateLimit: null,
    lockMs: 60_000,
    async render() {
      fetches += 1;
      (fetches === 1 ? started : again)?.resolve();
      if (fetches === 1) await taken?.promise;
      return { kind: "done" };
    },
  });
  await queues.dispatch([{ renderId, lane, priority: 1 }]);
  await started?.promise;
  const ensureDispatched: Queues["ensureDispatched"] = async (next) => {
    const isAdded = await queues.ensureDispatched(next);
    if (!isAdded) taken?.resolve();
    return isAdded;
  };
  const batchPlaces = startBatchPlaces([{ lane, concurrency: 1 }], {
    database: stack.database,
    queues: { ...queues, ensureDispatched },
    logger: createLogger("test", "silent"),
  });
  await again?.promise;
  await batchPlaces.stop();
  await served.drain();
  await returnToPlaces(stack.database, renderId);
  await stack.startWorker();
  await until(async () => (await readBatch(account, id)).completed_at !== null);
  expect((await readBatch(account, id)).counts).toMatchObject({ completed: 1, failed: 0 });
});
