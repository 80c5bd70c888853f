import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { startSecondApi } from "./support/second-api.ts";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const maxQueueDepth = 3;

describe("an overloaded service", () => {
  let stack: Stack;
  /** The same service with a maximum queue wait of one second. */
  let impatientUrl: string;

  beforeAll(async () => {
    stack = await startStack({
      postgresUrl: inject("postgresUrl"),
      workers: 0,
      environment: { MAX_QUEUE_DEPTH: String(maxQueueDepth), MAX_WAITING_REQUESTS: "1" },
    });
    const settings = { MAX_QUEUE_DEPTH: "1000", MAX_QUEUE_AGE_SECONDS: "1" };
    ({ url: impatientUrl } = await startSecondApi(stack, settings));
  });

  afterAll(() => stack.stop());

  function ask(
    { account }: Client,
    url: string,
    { body = image, prefer = "respond-async" } = {},
  ): Promise<Response> {
    return fetch(`${url}/v1/generate/image`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${account.key}`,
        "Content-Type": "application/json",
        Prefer: prefer,
      },
      body: JSON.stringify(body),
    });
  }

  it("refuses accounts with unfinished jobs when the oldest job waits too long", async () => {
    const busy = await createClient(stack);
    await busy.accept();
    const refused = await eventually(
      () => ask(busy, impatientUrl),
      ({ status }) => status !== 202,
    );
    expect(refused.status).toBe(503);
    expect(await readError(refused)).toMatchObject({ error: "overloaded" });
    const newcomer = await createClient(stack);
    expect((await ask(newcomer, impatientUrl)).status).toBe(202);
  });

  it("returns 503 with Retry-After when the queue is deeper than MAX_QUEUE_DEPTH", async () => {
    const clients = await Promise.all(
      Array.from({ length: maxQueueDepth }, () => createClient(stack)),
    );
    for (const client of clients) await ask(client, impatientUrl);
    const late = await createClient(stack);
    const refused = await eventually(
      () => ask(late, stack.url),
      ({ status }) => status !== 202,
    );
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await readError(refused)).toMatchObject({ error: "overloaded" });

    const accepted = (await late.list()).jobs.length;
    const { held_eur } = await late.money();
    expect(Number(held_eur)).toBeCloseTo(accepted * 0.05);
    expect((await ask(late, stack.url)).status).toBe(503);
    expect((await late.list()).jobs).toHaveLength(accepted);
    expect((await late.money()).held_eur).toBe(held_eur);
  });

  it("limits the waiting requests of an account and responds to further ones at once", async () => {
    const client = await createClient(stack);
    // Uses a lane without a worker.
    const body = { ...image, model: "fake-resumable" };
    const longerThanThisTest = { body, prefer: "wait=60" };
    const first = await Promise.race([
      ask(client, stack.url, longerThanThisTest),
      ask(client, stack.url, longerThanThisTest),
    ]);
    expect(first.status).toBe(202);
  });

  it("returns 503 while the disk is full, holds nothing, and still serves reads", async () => {
    const directory = await mkdtemp(join(tmpdir(), "atelier-full-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    // Requires more free space than any disk has.
    const settings = { STORAGE_URL: `file:${directory}?min_free_mb=999999999` };
    const { url } = await startSecondApi(stack, settings);
    await eventually(
      async () => (await fetch(`${url}/readyz`)).json(),
      (body) => (body as { status: string }).status === "degraded",
    );
    const client = await createClient(stack);
    const responses = await Promise.all(Array.from({ length: 12 }, () => ask(client, url)));
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(503));
    for (const response of responses) {
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(await readError(response)).toMatchObject({ error: "overloaded" });
    }
    expect((await client.money()).held_eur).toBe("0.00");
    expect((await client.list()).jobs).toEqual([]);
  });
});
