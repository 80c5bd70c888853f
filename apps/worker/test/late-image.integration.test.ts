import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { sequential, until } from "./describe-queues.ts";
import { fakeModel, lanes, writeCatalogue } from "./fallback-catalogue.ts";
import { acceptJob, untilFinal } from "./jobs.ts";

const models = [
  fakeModel("first", "first", "0.08", "second"),
  fakeModel("second", "second", "0.05"),
];

let directory: string;
let stack: Stack;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-late-image-"));
  const files = await writeCatalogue(directory, models);
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    workers: 0,
    environment: {
      ...files,
      WORKER_LANES: `${lanes.first},${lanes.second}`,
      PROVIDER_TIMEOUT_SECONDS: "60",
    },
  });
});

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

it(
  "never delivers an image of the first model, staged late by a frozen worker, as the fallback's",
  { ...sequential, tags: "full" },
  async () => {
    const account = await stack.createAccount();
    const secondIsCalled = Promise.withResolvers<void>();
    const lateImageStaged = Promise.withResolvers<void>();
    const called = { first: 0, second: 0 };
    stack.provider.behave(async ({ model }) => {
      if (model === "first") {
        if (++called.first > 1) return { kind: "fail", status: 500 };
        await secondIsCalled.promise;
        return { kind: "image" };
      }
      if (++called.second > 1) return { kind: "image" };
      secondIsCalled.resolve();
      await lateImageStaged.promise;
      return { kind: "fail", status: 500 };
    });

    const frozen = await stack.startWorker();
    const jobId = await accept(account);
    await until(() => called.first === 1);
    frozen.signal("SIGSTOP");
    // Takes over after the lock timeout, fails with the first model and calls the second.
    await stack.startWorker({ WORKER_LOCK_SECONDS: "10" });
    await until(() => called.second === 1);
    const stopped = frozen.stop();
    frozen.signal("SIGCONT");
    // The frozen worker stages the response it received and finishes its files.
    await stopped;
    lateImageStaged.resolve();

    expect(await untilFinal(stack, account, jobId)).toMatchObject({
      status: "completed",
      cost_eur: "0.05",
      result: { model: "second" },
    });
    expect(called.second).toBe(2);
    const calls = await stack.database.query(
      "SELECT model, outcome FROM provider_call ORDER BY attempt",
    );
    expect(calls).toEqual([
      { model: "first", outcome: "unknown" },
      { model: "first", outcome: "unavailable" },
      { model: "second", outcome: "unavailable" },
      { model: "second", outcome: "image" },
    ]);
    await assertInvariants(stack.database);
  },
);

const accept = (account: TestAccount) =>
  acceptJob(stack, account, "image", { model: "first", prompt: "a lighthouse at dusk" });
