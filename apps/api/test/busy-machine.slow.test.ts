import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

/** Processes that compute all the time, beside the service. */
const busyProcesses = 8;

const create = { width: 512, height: 512, channels: 3 } as const;

let stack: Stack;
let account: TestAccount;
let load: ReturnType<typeof spawn>[];

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    // The usual settings, instead of those of tests that wait for recovery.
    environment: {
      WORKER_LOCK_SECONDS: "30",
      RECOVERY_AFTER_SECONDS: "30",
      PROVIDER_TIMEOUT_SECONDS: "120",
      VERIFICATIONS_PER_MINUTE: "1000",
    },
  });
  account = await stack.createAccount("100");
  // Each ends by itself if this process is killed.
  const program = "const until = Date.now() + 1_800_000; while (Date.now() < until);";
  load = Array.from({ length: busyProcesses }, () => spawn(process.execPath, ["-e", program]));
});

afterAll(async () => {
  for (const one of load) one.kill("SIGKILL");
  await stack.stop();
});

/** Runs a task `count` times, some at once, and counts its results. */
async function repeat(
  count: number,
  atOnce: number,
  task: (index: number) => Promise<string>,
): Promise<Record<string, number>> {
  const results: Record<string, number> = {};
  let next = 0;
  const run = async () => {
    for (let index = next++; index < count; index = next++) {
      const result = await task(index);
      results[result] = (results[result] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return results;
}

/** Generates an image and waits for its job: `completed`, or the error of the request or job. */
async function generate(operation: string, body: object): Promise<string> {
  const headers = { Prefer: "respond-async" };
  const path = `/v1/generate/${operation}`;
  const response = await stack.request(account, "POST", path, body, headers);
  const id = response.headers.get("X-Service-Job-Id");
  if (response.status !== 202) return ((await response.json()) as { error: string }).error;
  for (;;) {
    const answer = await stack.request(account, "GET", `/v1/jobs/${id}`);
    const job = (await answer.json()) as { status: string; error?: { error: string } };
    if (job.status === "failed") return job.error?.error ?? "failed";
    if (job.status === "completed") return job.status;
    await delay(250);
  }
}

async function upload(image: Sharp): Promise<string> {
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "image/png" },
    body: new Uint8Array(await image.png().toBuffer()),
  });
  return ((await response.json()) as { id: string }).id;
}

/** A square that Studio draws: white on black. */
const mask = () =>
  sharp({ create: { ...create, background: "#000" } }).composite([
    { input: { create: { width: 200, height: 200, channels: 3, background: "#fff" } } },
  ]);

/** Verifies an image, and sends it again when the service is busy, as its response says. */
async function verify(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  for (;;) {
    const response = await fetch(`${stack.url}/verify`, {
      method: "POST",
      headers: { "Content-Type": "image/png" },
      body: bytes,
    });
    if (response.status === 200) return "verified";
    const { error } = (await response.json()) as { error: string };
    if (error !== "overloaded") return error;
    await delay(Number(response.headers.get("Retry-After")) * 1_000);
  }
}

describe("beside eight processes that compute all the time", () => {
  it(
    "completes 200 diagrams, 50 masked edits and 50 verifications without blaming a client",
    { timeout: 1_500_000 },
    async () => {
      const picture = sharp({ create: { ...create, background: "#247" } });
      const image = { upload_id: await upload(picture) };
      const file = new Uint8Array(await picture.png().toBuffer());
      const editWithMask = async (index: number) =>
        generate("edit", {
          model: "builtin-illustrator",
          prompt: `a red boat ${index}`,
          image,
          mask: { upload_id: await upload(mask()) },
        });
      const drawDiagram = (index: number) =>
        generate("diagram", {
          model: "builtin-diagram",
          source: `flowchart LR\n  A[user ${index}] --> B[API] --> C[queue]`,
          language: "mermaid",
        });

      const [diagrams, edits, verifications] = await Promise.all([
        repeat(200, 4, drawDiagram),
        repeat(50, 2, editWithMask),
        repeat(50, 2, () => verify(file)),
      ]);
      expect({ diagrams, edits, verifications }).toEqual({
        diagrams: { completed: 200 },
        edits: { completed: 50 },
        verifications: { verified: 50 },
      });
      // Only such a call limits the rate of its key.
      const wrong = await stack.database.query(
        `SELECT id FROM provider_call WHERE outcome = 'invalid_request'`,
      );
      expect(wrong).toEqual([]);
    },
  );
});
