import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startApiBeside } from "./support/api-beside.ts";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const maxQueueDepth = 3;

describe("a service with more work than can be done in time", () => {
  let stack: Stack;
  /** The same service, where a second in the queue is too long already. */
  let impatientUrl: string;

  beforeAll(async () => {
    stack = await startStack({
      postgresUrl: inject("postgresUrl"),
      workers: 0,
      environment: { MAX_QUEUE_DEPTH: String(maxQueueDepth), MAX_WAITING_REQUESTS: "1" },
    });
    const settings = { MAX_QUEUE_DEPTH: "1000", MAX_QUEUE_AGE_SECONDS: "1" };
    ({ url: impatientUrl } = await startApiBeside(stack, settings));
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

  it("refuses those who have jobs already, once the oldest waits too long, and takes others", async () => {
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

  it("refuses everybody while too much waits, holds nothing, and says when to come back", async () => {
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

  it("lets only so many requests of an account wait, and answers those beyond at once", async () => {
    const client = await createClient(stack);
    // In a lane of its own, where nobody works.
    const body = { ...image, model: "fake-resumable" };
    const longerThanThisTest = { body, prefer: "wait=60" };
    const first = await Promise.race([
      ask(client, stack.url, longerThanThisTest),
      ask(client, stack.url, longerThanThisTest),
    ]);
    expect(first.status).toBe(202);
  });
});
