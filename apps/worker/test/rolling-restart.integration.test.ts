import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { sequential, until, type Worker } from "./describe-queues.ts";
import { acceptJob, untilFinal } from "./jobs.ts";
import { lanes } from "./fallback-catalogue.ts";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 0,
    environment: {
      WORKER_LANES: Object.values(lanes).join(),
      // A job that had to wait for a lock or for recovery would exceed the test's timeout.
      WORKER_LOCK_SECONDS: "600",
      RECOVERY_AFTER_SECONDS: "600",
      WORKER_DRAIN_SECONDS: "600",
      PROVIDER_TIMEOUT_SECONDS: "600",
    },
  });
  account = await stack.createAccount();
});

afterAll(() => stack.stop());

afterEach(() => assertInvariants(stack.database, undefined, stack.provider.calls));

/** Starts jobs whose calls are open, and returns the calls that the provider received for each. */
async function openCalls(model: string, count: number) {
  const before = stack.provider.calls.length;
  const body = { model, prompt: "a lighthouse at dusk" };
  const jobs = await Promise.all(
    Array.from({ length: count }, () => acceptJob(stack, account, "image", body)),
  );
  const received = () => stack.provider.calls.length - before;
  await until(() => received() === count);
  return { jobs, received };
}

async function expectCompleted(jobs: readonly string[], attempt: number): Promise<void> {
  for (const jobId of jobs) {
    const job = await untilFinal(stack, account, jobId);
    expect(job).toMatchObject({ status: "completed", cost_eur: "0.05" });
    const renders = await stack.database.query(
      "SELECT attempt, tries FROM render WHERE generation_id = $1",
      [jobId],
    );
    expect(renders).toEqual([{ attempt, tries: 1 }]);
  }
}

/** Starts a new worker before it stops the old one, as platforms do. */
async function replace(worker: Worker): Promise<{ next: Worker; stopped: Promise<number | null> }> {
  const next = await stack.startWorker();
  const stopped = worker.stop();
  await until(async () => (await worker.log()).includes("worker stopping"));
  return { next, stopped };
}

describe("a rolling restart with open calls", sequential, () => {
  it("finishes those that cannot be resumed: none is cut off, repeated or paid twice", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    stack.provider.behave(async () => {
      await answered;
      return { kind: "image" };
    });
    const first = await stack.startWorker();
    const { jobs, received } = await openCalls(lanes.first, 3);
    const { next, stopped } = await replace(first);
    answer();
    expect(await stopped).toBe(0);
    await expectCompleted(jobs, 1);
    expect(received()).toBe(3);
    await next.stop();
  });

  it("hands those over at once that can be resumed by their ids, and pays each once", async () => {
    stack.provider.behave(() => ({ kind: "hang" }));
    const first = await stack.startWorker();
    const { jobs, received } = await openCalls(lanes.second, 3);
    await until(async () => {
      const [known] = await stack.database.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM provider_call WHERE request_id IS NOT NULL AND outcome IS NULL",
      );
      return known?.count === 3;
    });
    const { next, stopped } = await replace(first);
    // Their calls never end; only the drain timeout would end the worker otherwise.
    expect(await stopped).toBe(0);
    await expectCompleted(jobs, 2);
    expect(received()).toBe(3);
    await next.stop();
  });
});
