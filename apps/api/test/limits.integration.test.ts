import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startSecondApi } from "./support/second-api.ts";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const generationsPerMinute = 5;
const otherRequestsPerMinute = 60;
const maxUnfinishedJobs = 3;

let stack: Stack;
/** URLs of two API processes on the same data. */
let urls: readonly [string, string];
/** URL of a third process that only limits unfinished jobs. */
let roomyUrl: string;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 0,
    environment: {
      GENERATIONS_PER_MINUTE: String(generationsPerMinute),
      OTHER_REQUESTS_PER_MINUTE: String(otherRequestsPerMinute),
      MAX_UNFINISHED_JOBS: String(maxUnfinishedJobs),
    },
  });
  const second = await startSecondApi(stack, {});
  const unlimitedApi = await startSecondApi(stack, { GENERATIONS_PER_MINUTE: "1000" });
  urls = [stack.url, second.url];
  roomyUrl = unlimitedApi.url;
});

afterAll(() => stack.stop());

function ask(url: string, { account }: Client, method: string, path: string, body?: object) {
  return fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${account.key}`,
      "Content-Type": "application/json",
      Prefer: "respond-async",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Sends an invalid request, which counts but creates no job. */
const generate = (client: Client, url = stack.url) =>
  ask(url, client, "POST", "/v1/generate/image", {});

/** Exhausts the generation limit of a client's key. */
async function useUp(client: Client): Promise<void> {
  for (let sent = 0; sent < generationsPerMinute; sent++) {
    expect((await generate(client)).status).toBe(400);
  }
}

describe("the rate limit of a key", () => {
  it("allows a burst of one minute's requests and counts them down", async () => {
    const client = await createClient(stack);
    for (let left = generationsPerMinute - 1; left >= 0; left--) {
      const response = await generate(client);
      expect(response.status).toBe(400);
      expect(response.headers.get("RateLimit-Policy")).toBe('"generate";q=5;w=60');
      expect(response.headers.get("RateLimit")).toMatch(
        new RegExp(`^"generate";r=${left};t=\\d+$`),
      );
      expect(response.headers.has("Retry-After")).toBe(false);
    }
    const refused = await generate(client);
    expect(refused.status).toBe(429);
    expect(await readError(refused)).toMatchObject({
      error: "rate_limited",
      details: { limit_per_minute: generationsPerMinute },
    });
    expect(refused.headers.get("RateLimit")).toBe('"generate";r=0;t=12');
    expect(refused.headers.get("Retry-After")).toBe("12");
  });

  it("names the time of the next request in both headers, also for a fast limit", async () => {
    const client = await createClient(stack);
    const responses = await Promise.all(
      Array.from({ length: 80 }, () => ask(stack.url, client, "GET", "/v1/account")),
    );
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) {
      const wait = headers.get("Retry-After");
      expect(headers.get("RateLimit")).toBe(`"other";r=0;t=${wait}`);
      expect(wait).toBe("1");
    }
  });

  it("is shared by all API processes", async () => {
    const client = await createClient(stack);
    const responses = await Promise.all(
      Array.from({ length: 4 * generationsPerMinute }, (_, index) =>
        generate(client, urls[index % 2]),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(generationsPerMinute);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3 * generationsPerMinute);
  });

  it("is separate for other kinds of requests", async () => {
    const client = await createClient(stack);
    await useUp(client);
    expect((await generate(client)).status).toBe(429);
    const response = await ask(stack.url, client, "GET", "/v1/account");
    expect(response.status).toBe(200);
    expect(response.headers.get("RateLimit-Policy")).toBe('"other";q=60;w=60');
    expect(response.headers.get("RateLimit")).toBe('"other";r=59;t=1');
  });

  it("is separate for each key", async () => {
    const [client, sibling, stranger] = await Promise.all([
      createClient(stack),
      createClient(stack),
      createClient(stack),
    ]);
    await stack.database.query("UPDATE api_key SET account_id = $1 WHERE account_id = $2", [
      client.account.accountId,
      sibling.account.accountId,
    ]);
    await useUp(client);
    expect((await generate(client)).status).toBe(429);
    expect((await generate(sibling)).status).toBe(400);
    expect((await generate(stranger)).status).toBe(400);
  });

  it("ends after Retry-After", async () => {
    const client = await createClient(stack);
    const read = () => ask(stack.url, client, "GET", "/v1/account");
    const startedAt = performance.now();
    const burst = await Promise.all(
      Array.from({ length: 2 * otherRequestsPerMinute }, async () => (await read()).status),
    );
    // One more for each second that the burst itself took.
    const maxAllowed = otherRequestsPerMinute + Math.ceil((performance.now() - startedAt) / 1_000);
    const allowed = burst.filter((status) => status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(otherRequestsPerMinute);
    expect(allowed).toBeLessThanOrEqual(maxAllowed);

    const refused = await eventually(read, ({ status }) => status === 429);
    const refusedAt = performance.now();
    expect(refused.headers.get("Retry-After")).toBe("1");
    await eventually(read, ({ status }) => status === 200);
    expect(performance.now() - refusedAt).toBeLessThan(5_000);
  });

  it("creates no job for a refused request", async () => {
    const client = await createClient(stack);
    await useUp(client);
    const response = await ask(stack.url, client, "POST", "/v1/generate/image", image);
    expect(response.status).toBe(429);
    expect(response.headers.has("X-Service-Job-Id")).toBe(false);
    expect((await client.list()).jobs).toEqual([]);
  });
});

const accept = (client: Client) => ask(roomyUrl, client, "POST", "/v1/generate/image", image);

describe("the limit of unfinished jobs", () => {
  it("holds for concurrent requests and stores nothing for refused ones", async () => {
    const client = await createClient(stack);
    const responses = await Promise.all(Array.from({ length: 12 }, () => accept(client)));
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(maxUnfinishedJobs);
    expect(refused).toHaveLength(12 - maxUnfinishedJobs);
    for (const response of refused) {
      expect((await readError(response)).error).toBe("too_many_jobs");
      expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
    }
    expect((await client.list()).jobs).toHaveLength(maxUnfinishedJobs);
    expect(await client.money()).toEqual({ balance_eur: "9.85", held_eur: "0.15" });
  });

  it("applies per account and ends with its jobs", async () => {
    const [client, other] = await Promise.all([createClient(stack), createClient(stack)]);
    for (let sent = 0; sent < maxUnfinishedJobs; sent++) await accept(client);
    expect((await accept(client)).status).toBe(429);
    expect((await accept(other)).status).toBe(202);
    const [newest] = (await client.list()).jobs;
    expect((await client.cancel(newest?.id ?? "")).status).toBe(200);
    expect((await accept(client)).status).toBe(202);
    expect((await accept(client)).status).toBe(429);
  });
});

describe("the job searches of an account", () => {
  it("run one after another, so that slow ones leave database connections to others", async () => {
    const [client, other] = await Promise.all([createClient(stack), createClient(stack)]);
    const search = () => ask(stack.url, client, "GET", "/v1/jobs?q=lighthouse");
    const searches = await stack.database.transaction(async (sql) => {
      await sql.query("LOCK TABLE generation_search IN ACCESS EXCLUSIVE MODE");
      const sent = Array.from({ length: 12 }, search);
      // The first responses are refusals: the others wait for the lock.
      const refused = await Promise.race(sent);
      expect(refused.status).toBe(429);
      expect((await readError(refused)).error).toBe("rate_limited");
      expect((await ask(stack.url, other, "GET", "/v1/jobs")).status).toBe(200);
      return { sent };
    });
    const statuses = (await Promise.all(searches.sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  });
});
