import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job, Model } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { until } from "./describe-queues.ts";
import { fakeModel, lanes, writeCatalogue } from "./fallback-catalogue.ts";

/** Two providers behind one server; the tests make only the first one fail. */
const models = [
  fakeModel("first", "first", "0.08", "dearest"),
  // This fallback costs more than the hold and is skipped.
  fakeModel("dearest", "second", "0.09", "second"),
  fakeModel("second", "second", "0.05"),
  fakeModel("alone", "first", "0.08"),
  fakeModel("cheaper", "first", "0.04", "second"),
];

const ada = { name: "Ada", description: "a pilot in a red coat" };
const ben = { name: "Ben", description: "a sailor in a blue coat" };
const story = {
  model: "first",
  characters: [ada, ben],
  scenes: [
    { prompt: "Ada and Ben at the sea", characters: [{ name: "Ada" }, { name: "Ben" }] },
    { prompt: "Ada goes home", characters: [{ name: "Ada" }] },
  ],
};

let directory: string;
let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-fallback-"));
  const files = await writeCatalogue(directory, models, {
    circuit_breaker: { failures: 3, cool_down_seconds: 600 },
  });
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      ...files,
      WORKER_LOCK_SECONDS: "10",
      // Tests poll with requests.
      OTHER_REQUESTS_PER_MINUTE: "1000000",
    },
  });
});

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  account = await stack.createAccount();
  await stack.database.query("DELETE FROM lane_health");
  await until(async () => (await statusOf("first")) === "available");
});

/** Makes the first provider fail with a status, for a number of calls. */
function firstFails(status: 402 | 400 | 500, calls = Infinity): void {
  let left = calls;
  stack.provider.behave(({ model }) => {
    if (model !== "first" || left-- <= 0) return { kind: "image" };
    return status === 400 ? { kind: "refuse", categories: [] } : { kind: "fail", status };
  });
}

async function generate(model: string): Promise<Record<string, unknown> & { status: number }> {
  const body = { model, prompt: "a lighthouse at dusk" };
  const response = await stack.request(account, "POST", "/v1/generate/image", body);
  return { ...((await response.json()) as object), status: response.status };
}

async function jobOf(body: object): Promise<Job> {
  const response = await stack.request(account, "POST", "/v1/generate/story", body);
  const { job_id } = (await response.json()) as { job_id: string };
  let job: Job | undefined;
  await until(async () => {
    const answer = await stack.request(account, "GET", `/v1/jobs/${job_id}`);
    job = (await answer.json()) as Job;
    return job.status === "completed" || job.status === "failed";
  });
  if (job === undefined) throw new Error("the job does not exist");
  return job;
}

async function statusOf(id: string): Promise<string | undefined> {
  const response = await stack.request(account, "GET", "/v1/models");
  const list = (await response.json()) as { models: Model[] };
  return list.models.find((model) => model.id === id)?.status;
}

describe("a model whose provider is unavailable", { concurrent: false, timeout: 120_000 }, () => {
  it("is replaced by its fallback, which the response names and whose price is charged", async () => {
    firstFails(500);
    expect(await generate("first")).toMatchObject({
      status: 200,
      model: "second",
      cost_eur: "0.05",
      balance_eur: "9.95",
    });
    const called = stack.provider.calls.map(({ model }) => model).slice(-3);
    expect(called).toEqual(["first", "first", "second"]);
  });

  it("is replaced at once when the operator's account is empty", async () => {
    firstFails(402);
    const before = stack.provider.calls.length;
    expect(await generate("first")).toMatchObject({ status: 200, model: "second" });
    const called = stack.provider.calls.slice(before).map(({ model }) => model);
    expect(called).toEqual(["first", "second"]);
  });

  it.each([
    ["429", "rate-limit"],
    ["503", "unavailable"],
  ] as const)(
    "is replaced at once when a %s asks for a long wait, and its lane is paused for that time",
    async (_, kind) => {
      stack.provider.behave(({ model }) =>
        model === "first" ? { kind, retryAfterSeconds: 120 } : { kind: "image" },
      );
      const before = stack.provider.calls.length;
      expect(await generate("first")).toMatchObject({ status: 200, model: "second" });
      await until(async () => (await statusOf("first")) === "degraded");
      expect(await generate("first")).toMatchObject({ status: 200, model: "second" });
      const called = stack.provider.calls.slice(before).map(({ model }) => model);
      expect(called).toEqual(["first", "second", "second"]);
      const body = { model: "alone", prompt: "a lighthouse at dusk" };
      const refused = await stack.request(account, "POST", "/v1/generate/image", body);
      expect(refused.status).toBe(503);
      const retryAfter = Number(refused.headers.get("Retry-After"));
      expect(retryAfter).toBeGreaterThan(60);
      expect(retryAfter).toBeLessThanOrEqual(120);
    },
  );

  it("makes the image itself when it recovers before the second attempt", async () => {
    firstFails(500, 1);
    expect(await generate("first")).toMatchObject({ model: "first", cost_eur: "0.08" });
  });

  it("is not replaced after a refusal, which is final", async () => {
    firstFails(400);
    const before = stack.provider.calls.length;
    expect(await generate("first")).toMatchObject({ status: 502, error: "provider_refused" });
    expect(stack.provider.calls.slice(before)).toHaveLength(1);
  });

  it("is never replaced by a model that costs more than the hold", async () => {
    firstFails(402);
    expect(await generate("cheaper")).toMatchObject({
      status: 503,
      error: "provider_unavailable",
    });
  });

  it("is replaced for a whole story before its first image is made", async () => {
    firstFails(402);
    const job = await jobOf(story);
    expect(job).toMatchObject({
      status: "completed",
      model: "first",
      cost_eur: "0.20",
      result: { model: "second" },
    });
    const completed = await stack.database.query(
      "SELECT DISTINCT model FROM render WHERE generation_id = $1",
      [job.id],
    );
    expect(completed).toEqual([{ model: "second" }]);
  });

  it("keeps a story once one of its images is made", async () => {
    let calls = 0;
    stack.provider.behave(({ model }) =>
      model === "first" && ++calls > 1 ? { kind: "fail", status: 402 } : { kind: "image" },
    );
    const before = stack.provider.calls.length;
    const [scene] = story.scenes.slice(1);
    expect(await jobOf({ ...story, characters: [ada], scenes: [scene, scene] })).toMatchObject({
      status: "failed",
      cost_eur: "0.00",
      error: { error: "provider_unavailable" },
    });
    expect(stack.provider.calls.slice(before).map(({ model }) => model)).toEqual([
      "first",
      "first",
    ]);
  });
});

describe("an open circuit breaker", { concurrent: false, timeout: 120_000 }, () => {
  const open = async () => {
    firstFails(402);
    await generate("alone");
    await until(async () => (await statusOf("first")) === "degraded");
  };

  it("is shown by GET /v1/models for the models of its lane only", async () => {
    await open();
    expect(await statusOf("alone")).toBe("degraded");
    expect(await statusOf("second")).toBe("available");
    expect(await statusOf("builtin-illustrator")).toBe("available");
  });

  it("is no longer shown once it is half-open", async () => {
    await open();
    await stack.database.query("UPDATE lane_health SET open_until = now()");
    await until(async () => (await statusOf("first")) === "available");
    const rows = await stack.database.query("SELECT 1 FROM lane_health");
    expect(rows).toHaveLength(1);
  });

  it("refuses requests without a fallback before anything is held", async () => {
    await open();
    const before = stack.provider.calls.length;
    const body = { model: "alone", prompt: "a lighthouse at dusk" };
    const response = await stack.request(account, "POST", "/v1/generate/image", body);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(500);
    expect(response.headers.get("X-Service-Job-Id")).toBeNull();
    expect(await response.json()).toMatchObject({
      error: "provider_unavailable",
      details: { model: "alone", provider: lanes.first },
    });
    expect(stack.provider.calls).toHaveLength(before);
  });

  it("uses the fallback without calling the provider", async () => {
    await open();
    const before = stack.provider.calls.length;
    expect(await generate("first")).toMatchObject({ model: "second", cost_eur: "0.05" });
    expect(stack.provider.calls.slice(before).map(({ model }) => model)).toEqual(["second"]);
  });

  it("opens after consecutive failures and closes with the first response after its pause", async () => {
    firstFails(500);
    for (let failed = 0; failed < 3; failed++) await generate("first");
    await until(async () => (await statusOf("first")) === "degraded");
    firstFails(500, 0);
    await stack.database.query("UPDATE lane_health SET open_until = now()");
    await until(async () => (await generate("alone")).status === 200);
    await until(async () => (await statusOf("first")) === "available");
    expect(await generate("first")).toMatchObject({ model: "first" });
  });

  it("keeps accepted jobs until the provider may be tried again", async () => {
    firstFails(500, 0);
    await stack.database.query(
      `INSERT INTO lane_health (lane, failures, last_render_id, open_until, reason)
       VALUES ($1, 3, gen_random_uuid(), now() + interval '2 s', 'status 500')`,
      [lanes.first],
    );
    // Depending on whether the API has seen the open circuit, the request is accepted or refused.
    expect(await until(async () => (await generate("alone")).status === 200)).toBe(true);
  });
});
