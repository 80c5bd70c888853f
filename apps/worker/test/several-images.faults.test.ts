import { generationResponse } from "@atelier/schemas";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";

/** The worker crashes when this many of the ten images are done. */
const imagesBeforeCrash = [1, 5, 9] as const;

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    redisUrl: inject("redisUrl"),
    environment: { WORKER_CONCURRENCY: "2" },
  });
});

afterAll(() => stack?.stop());

it.each(imagesBeforeCrash)(
  "makes ten images and charges once when a worker is killed after %i",
  async (at) => {
    const account = await stack.createAccount();
    const response = await stack.request(
      account,
      "POST",
      "/v1/generate/image",
      { model: "fake-blind", prompt: "a paper boat", n: 10 },
      { Prefer: "respond-async" },
    );
    const jobId = response.headers.get("X-Service-Job-Id") ?? "";
    await vi.waitUntil(async () => (await doneRenders(jobId)) >= at, {
      timeout: 30_000,
      interval: 5,
    });
    stack.workers.at(-1)?.signal("SIGKILL");
    await stack.startWorker();

    const { result, status } = await untilFinal(account, jobId);
    expect(status).toBe("completed");
    const { images, cost_eur } = generationResponse.parse(result);
    expect(images).toHaveLength(10);
    expect(cost_eur).toBe("0.50");
    const files = await Promise.all((images ?? []).map(({ image_url }) => fetch(image_url ?? "")));
    expect(new Set(files.map((file) => file.status))).toEqual(new Set([200]));
    const [charges] = await stack.database.query<{
      settles: number;
      balance: bigint;
      held: bigint;
    }>(
      `SELECT count(*)::int AS settles, min(balance_micro_eur)::bigint AS balance,
            min(held_micro_eur)::bigint AS held
       FROM ledger_transfer JOIN account ON account.id = account_id
      WHERE generation_id = $1 AND ledger_transfer.kind = 'settle'`,
      [jobId],
    );
    expect(charges).toEqual({ settles: 1, balance: 9_500_000n, held: 0n });
    await assertInvariants(stack.database, undefined, stack.provider.calls);
  },
);

it("makes no image and charges nothing when an image is refused and the worker is killed", async () => {
  const account = await stack.createAccount();
  stack.provider.behave(({ seed }) =>
    seed === 9 ? { kind: "refuse", categories: ["violence"] } : { kind: "image" },
  );
  const response = await stack.request(
    account,
    "POST",
    "/v1/generate/image",
    { model: "fake-blind", prompt: "a paper boat", n: 10, seed: 0 },
    { Prefer: "respond-async" },
  );
  const jobId = response.headers.get("X-Service-Job-Id") ?? "";
  await vi.waitUntil(async () => (await doneRenders(jobId)) >= 4, { timeout: 30_000, interval: 5 });
  stack.workers.at(-1)?.signal("SIGKILL");
  await stack.startWorker();
  expect(await untilFinal(account, jobId)).toMatchObject({
    status: "failed",
    result: null,
    cost_eur: "0.00",
  });
  const money = await stack.request(account, "GET", "/v1/account");
  expect(await money.json()).toMatchObject({ balance_eur: "10.00", held_eur: "0.00" });
});

async function doneRenders(jobId: string): Promise<number> {
  const [render] = await stack.database.query<{ done: number }>(
    "SELECT count(*)::int AS done FROM render WHERE generation_id = $1 AND status = 'done'",
    [jobId],
  );
  return render?.done ?? 0;
}

async function untilFinal(account: TestAccount, jobId: string) {
  return vi.waitFor(
    async () => {
      const response = await stack.request(account, "GET", `/v1/jobs/${jobId}`);
      const job = (await response.json()) as { status: string; result: unknown };
      if (["pending", "processing"].includes(job.status)) throw new Error(job.status);
      return job;
    },
    { timeout: 60_000, interval: 100 },
  );
}
