import { jobAccepted, type Job } from "@atelier/schemas";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { sequential, until } from "./describe-queues.ts";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 0,
    environment: { WORKER_LANES: "fake-blind" },
  });
  account = await stack.createAccount();
});

afterAll(() => stack.stop());

async function accept(): Promise<string> {
  const body = { model: "fake-blind", prompt: "a lighthouse at dusk" };
  const headers = { Prefer: "respond-async" };
  const response = await stack.request(account, "POST", "/v1/generate/image", body, headers);
  return jobAccepted.parse(await response.json()).job_id;
}

async function statusOf(jobId: string): Promise<string> {
  const response = await stack.request(account, "GET", `/v1/jobs/${jobId}`);
  return ((await response.json()) as Job).status;
}

it(
  "an API that was updated before the workers loses no job: it waits for a newer worker",
  sequential,
  async () => {
    const newer = await accept();
    const setNeeds = (needs: number) =>
      stack.database.query("UPDATE render SET needs = $2 WHERE generation_id = $1", [newer, needs]);
    await setNeeds(30_000);
    const older = await accept();
    await stack.startWorker();
    // The lane has delivered the first job before.
    await until(async () => (await statusOf(older)) === "completed");
    expect(await statusOf(newer)).toBe("pending");
    expect(stack.provider.calls).toHaveLength(1);

    // As a newer worker sees it.
    await setNeeds(0);
    await until(async () => (await statusOf(newer)) === "completed");
    await assertInvariants(stack.database);
  },
);
