import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job, Model } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { until } from "./describe-queues.ts";

/** Two providers behind one server: the first goes down as a test says, the second never. */
const lanes = { first: "fake-blind", second: "fake-resumable" };

const entry = {
  description: "Answers as a test tells it to.",
  supports_multiturn: true,
  max_reference_images: 5,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  retires_at: null,
  successor: null,
};
const first = { ...entry, provider: lanes.first, provider_model: "first" };
const models = [
  { ...first, id: "first", name: "First", prices_eur: { "1K": "0.08" }, fallback: "dearest" },
  // In between: it costs more than is held, and is passed over.
  {
    ...entry,
    id: "dearest",
    name: "Dearest",
    provider: lanes.second,
    provider_model: "dearest",
    prices_eur: { "1K": "0.09" },
    fallback: "second",
  },
  {
    ...entry,
    id: "second",
    name: "Second",
    provider: lanes.second,
    provider_model: "second",
    prices_eur: { "1K": "0.05" },
  },
  { ...first, id: "alone", name: "Alone", prices_eur: { "1K": "0.08" } },
  { ...first, id: "cheaper", name: "Cheaper", prices_eur: { "1K": "0.04" }, fallback: "second" },
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
  const catalogueFile = join(directory, "catalogue.json");
  const providersFile = join(directory, "providers.json");
  await writeFile(catalogueFile, JSON.stringify({ models }));
  const breaker = { failures: 3, cool_down_seconds: 600 };
  const providers = {
    [lanes.first]: { kind: "custom", circuit_breaker: breaker },
    [lanes.second]: { kind: "custom" },
  };
  await writeFile(providersFile, JSON.stringify({ providers }));
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      CATALOGUE_FILE: catalogueFile,
      PROVIDERS_FILE: providersFile,
      WORKER_LOCK_SECONDS: "10",
      // Tests ask again and again until it has become so.
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

/** How the first provider answers, and for how many calls. */
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
  if (job === undefined) throw new Error("there is no job");
  return job;
}

async function statusOf(id: string): Promise<string | undefined> {
  const response = await stack.request(account, "GET", "/v1/models");
  const list = (await response.json()) as { models: Model[] };
  return list.models.find((model) => model.id === id)?.status;
}

describe("a model whose provider is unavailable", { concurrent: false, timeout: 120_000 }, () => {
  it("is replaced by its fallback, which the answer names and whose price is charged", async () => {
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
    ["503", "away"],
  ] as const)(
    "is replaced at once when a %s asks for a long wait, and left alone for so long",
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

  it("makes the image itself when it comes back before the second try", async () => {
    firstFails(500, 1);
    expect(await generate("first")).toMatchObject({ model: "first", cost_eur: "0.08" });
  });

  it("is not replaced when it refused: a refusal is final", async () => {
    firstFails(400);
    const before = stack.provider.calls.length;
    expect(await generate("first")).toMatchObject({ status: 502, error: "provider_refused" });
    expect(stack.provider.calls.slice(before)).toHaveLength(1);
  });

  it("is never replaced by one that costs more than is held", async () => {
    firstFails(402);
    expect(await generate("cheaper")).toMatchObject({
      status: 503,
      error: "provider_unavailable",
    });
  });

  it("is replaced for a whole story, before anything of it is made", async () => {
    firstFails(402);
    const job = await jobOf(story);
    expect(job).toMatchObject({
      status: "completed",
      model: "first",
      cost_eur: "0.20",
      result: { model: "second" },
    });
    const made = await stack.database.query(
      "SELECT DISTINCT model FROM render WHERE generation_id = $1",
      [job.id],
    );
    expect(made).toEqual([{ model: "second" }]);
  });

  it("keeps a story of which an image is made", async () => {
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

describe("a circuit that has opened", { concurrent: false, timeout: 120_000 }, () => {
  const open = async () => {
    firstFails(402);
    await generate("alone");
    await until(async () => (await statusOf("first")) === "degraded");
  };

  it("is shown by GET /v1/models, for the lane's models alone", async () => {
    await open();
    expect(await statusOf("alone")).toBe("degraded");
    expect(await statusOf("second")).toBe("available");
    expect(await statusOf("builtin-illustrator")).toBe("available");
  });

  it("is shown no more once a call may find out, so that somebody makes it", async () => {
    await open();
    await stack.database.query("UPDATE lane_health SET open_until = now()");
    await until(async () => (await statusOf("first")) === "available");
    const rows = await stack.database.query("SELECT 1 FROM lane_health");
    expect(rows).toHaveLength(1);
  });

  it("refuses what nothing else can make, before anything is held", async () => {
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

  it("has the fallback make what it can, without asking the provider", async () => {
    await open();
    const before = stack.provider.calls.length;
    expect(await generate("first")).toMatchObject({ model: "second", cost_eur: "0.05" });
    expect(stack.provider.calls.slice(before).map(({ model }) => model)).toEqual(["second"]);
  });

  it("opens after a run of failures, and closes with the first answer after its time", async () => {
    firstFails(500);
    for (let failed = 0; failed < 3; failed++) await generate("first");
    await until(async () => (await statusOf("first")) === "degraded");
    firstFails(500, 0);
    await stack.database.query("UPDATE lane_health SET open_until = now()");
    await until(async () => (await generate("alone")).status === 200);
    await until(async () => (await statusOf("first")) === "available");
    expect(await generate("first")).toMatchObject({ model: "first" });
  });

  it("keeps what was accepted until the provider may be tried again", async () => {
    firstFails(500, 0);
    await stack.database.query(
      `INSERT INTO lane_health (lane, failures, last_render_id, open_until, reason)
       VALUES ($1, 3, gen_random_uuid(), now() + interval '2 s', 'status 500')`,
      [lanes.first],
    );
    // Accepted by an API that does not know yet, or told to wait: one of the two.
    expect(await until(async () => (await generate("alone")).status === 200)).toBe(true);
  });
});
