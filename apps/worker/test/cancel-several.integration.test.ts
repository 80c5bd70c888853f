import { jobAccepted, type Job } from "@atelier/schemas";
import { assertInvariants, startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { sequential, until } from "./describe-queues.ts";

/** The longest pause of a lane that a Retry-After causes. */
const lanePauseMs = 30_000;

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 0,
    environment: { WORKER_LANES: "fake-blind" },
  });
});

afterAll(() => stack.stop());

it(
  "a job of several images is cancelled at once when its last image in progress is postponed",
  sequential,
  async () => {
    const account = await stack.createAccount();
    const isCancelRequested = Promise.withResolvers<void>();
    let calls = 0;
    stack.provider.behave(async () => {
      if (++calls === 1) return { kind: "image" };
      await isCancelRequested.promise;
      return { kind: "rate-limit", retryAfterSeconds: 3_600 };
    });
    const accepted = await stack.request(
      account,
      "POST",
      "/v1/generate/image",
      { model: "fake-blind", prompt: "a lighthouse at dusk", n: 2 },
      { Prefer: "respond-async" },
    );
    const path = `/v1/jobs/${jobAccepted.parse(await accepted.json()).job_id}`;
    const readJob = async () => (await (await stack.request(account, "GET", path)).json()) as Job;
    await stack.startWorker();
    await until(async () => calls === 2 && (await readJob()).renders_completed === 1);

    const cancelled = await stack.request(account, "DELETE", path);
    expect((await cancelled.json()) as Job).toMatchObject({ status: "processing" });
    const requestedAt = performance.now();
    isCancelRequested.resolve();
    await until(async () => (await readJob()).status !== "processing");
    expect(performance.now() - requestedAt).toBeLessThan(lanePauseMs / 2);
    expect(await readJob()).toMatchObject({ status: "cancelled", cost_eur: "0.00" });
    await assertInvariants(stack.database);
  },
);
