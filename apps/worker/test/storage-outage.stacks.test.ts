import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";

let stack: Stack;
let account: TestAccount;
let files: string;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    redisUrl: inject("redisUrl"),
    environment: { MAX_TRIES: "2" },
  });
  account = await stack.createAccount();
  files = (stack.environment["STORAGE_URL"] ?? "").slice("file:".length);
});

afterAll(() => stack.stop());

/** Requests an image without waiting for it and returns the job id. */
async function ask(): Promise<string> {
  const body = { model: "fake-blind", prompt: "a lighthouse" };
  const prefer = { Prefer: "respond-async" };
  const response = await stack.request(account, "POST", "/v1/generate/image", body, prefer);
  expect(response.status).toBe(202);
  return ((await response.json()) as { job_id: string }).job_id;
}

async function untilCompleted(id: string): Promise<void> {
  await vi.waitUntil(
    async () => {
      const job = await (await stack.request(account, "GET", `/v1/jobs/${id}`)).json();
      expect((job as { status: string }).status).not.toBe("failed");
      return (job as { status: string }).status === "completed";
    },
    { timeout: 20_000, interval: 100 },
  );
}

/** Blocks a storage folder with a file of the same name while `look` runs. */
async function whileBlocked(folder: string, look: () => Promise<unknown>): Promise<void> {
  const path = join(files, folder);
  await mkdir(path, { recursive: true });
  await rename(path, `${path}.away`);
  await writeFile(path, "");
  try {
    await look();
  } finally {
    await rm(path);
    await rename(`${path}.away`, path);
  }
}

it("a paid image is kept until it can be staged, and is not ordered again", async () => {
  const before = stack.provider.calls.length;
  let id = "";
  await whileBlocked("staged", async () => {
    id = await ask();
    await vi.waitUntil(
      async () => ((await stack.workers[0]?.log())?.split("staging waits").length ?? 0) >= 3,
      { timeout: 10_000 },
    );
  });
  await untilCompleted(id);
  expect(stack.provider.calls.length - before).toBe(1);
});

it("unavailable storage counts no attempt, and staged images are finished when it recovers", async () => {
  const before = stack.provider.calls.length;
  let id = "";
  await whileBlocked("renders", async () => {
    id = await ask();
    await vi.waitUntil(
      async () => {
        const [render] = await stack.database.query<{ attempt: number; tries: number }>(
          "SELECT attempt, tries FROM render WHERE generation_id = $1",
          [id],
        );
        return render !== undefined && render.attempt > 2 && render.tries < 2;
      },
      { timeout: 15_000 },
    );
  });
  await untilCompleted(id);
  expect(stack.provider.calls.length - before).toBe(1);
});
