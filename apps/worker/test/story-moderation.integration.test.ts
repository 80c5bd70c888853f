import type { Job } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import {
  startOpenAiModerationServer,
  type OpenAiModerationServer,
} from "@atelier/testing/openai-moderation";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { acceptJob, untilFinal } from "./jobs.ts";

/** Makes texts of this test new, since a worker remembers what the remote model said about a text. */
let number = 0;

/** Two portraits and a location that wait for nothing, a state, and two scenes in sequence. */
const newStory = () => ({
  model: "fake-blind",
  style: `watercolour ${(number += 1)}`,
  characters: [
    {
      name: "Mira",
      description: "a woman with red hair",
      states: { rain: { description: "in a yellow raincoat" } },
    },
    { name: "Otto", description: "an old fisherman" },
  ],
  locations: [{ name: "Beach", description: "a wide beach with dunes" }],
  scenes: [
    { prompt: "Mira finds a kite", characters: [{ name: "Mira" }], location: "Beach" },
    { prompt: "The rain begins", characters: [{ name: "Mira", state: "rain" }, { name: "Otto" }] },
  ],
});
const imagesOfStory = 6;

let moderation: OpenAiModerationServer;
let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  moderation = await startOpenAiModerationServer();
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      MODERATION: "openai",
      MODERATION_URL: `${moderation.url}/v1`,
      MODERATION_API_KEY: "sk-proj-atelier-test-0123456789abcdef",
      // Tests poll with requests.
      OTHER_REQUESTS_PER_MINUTE: "1000000",
      MAX_TRIES: "3",
    },
  });
});

afterAll(async () => {
  await stack.stop();
  await moderation.close();
});

beforeEach(async () => {
  account = await stack.createAccount();
  moderation.score(() => ({}));
  stack.provider.behave(() => ({ kind: "image" }));
});

const accept = (operation: string, body: object) => acceptJob(stack, account, operation, body);

const jobOf = (jobId: string) => untilFinal(stack, account, jobId);

/** A worker asks about it when it starts. */
const probe = "a lighthouse at dusk";

/** Collects the texts of clients that the remote model is asked about from now on. */
function listen(judge: (text: string) => object = () => ({})): string[] {
  const asked: string[] = [];
  moderation.score((text) => {
    if (text !== probe) asked.push(text);
    return judge(text);
  });
  return asked;
}

it("asks the remote model about each prompt of a story once, before the first image", async () => {
  const asked = listen();
  const askedBefore: number[] = [];
  stack.provider.behave(() => {
    askedBefore.push(asked.length);
    return { kind: "image" };
  });
  const jobId = await accept("story", newStory());
  expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
  expect(askedBefore).toEqual(Array.from({ length: imagesOfStory }, () => asked.length));
  expect(new Set(asked).size).toBe(asked.length);
  const prompts = await stack.database.query<{ prompt: string }>(
    "SELECT spec->>'prompt' AS prompt FROM render WHERE generation_id = $1",
    [jobId],
  );
  // Every text of this story is in a prompt.
  expect(asked.toSorted()).toEqual(prompts.map(({ prompt }) => prompt).toSorted());
  const decisions = await stack.database.query(
    "SELECT allowed, certainty FROM moderation_decision WHERE generation_id = $1",
    [jobId],
  );
  expect(decisions).toEqual(
    Array.from({ length: imagesOfStory }, () => ({ allowed: true, certainty: null })),
  );
});

it("asks once for several images of one prompt", async () => {
  const asked = listen();
  const prompt = `harbour ${(number += 1)}`;
  const jobId = await accept("image", { model: "fake-blind", prompt, n: 4 });
  expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
  expect(asked).toEqual([prompt]);
});

it("fails a story before its first image, with the client's field, when the model refuses a prompt", async () => {
  listen((text) => (text.startsWith("The rain begins") ? { hate: 0.9 } : {}));
  const calls = stack.provider.calls.length;
  const jobId = await accept("story", newStory());
  expect(await jobOf(jobId)).toMatchObject({
    status: "failed",
    cost_eur: "0.00",
    error: {
      error: "content_policy_violation",
      details: [{ category: "hate", path: "scenes.1.prompt", certainty: "certain" }],
    },
  });
  expect(stack.provider.calls).toHaveLength(calls);
  const refusals = await stack.database.query(
    "SELECT DISTINCT category, path, certainty FROM moderation_decision WHERE generation_id = $1",
    [jobId],
  );
  expect(refusals).toEqual([{ category: "hate", path: "scenes.1.prompt", certainty: "certain" }]);
});

it("does not ask again when a worker is killed after the approval", { tags: "full" }, async () => {
  const asked = listen();
  const [worker] = stack.workers;
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  stack.provider.behave(async () => {
    called.resolve();
    await answer.promise;
    return { kind: "image" };
  });
  const jobId = await accept("story", newStory());
  await called.promise;
  const before = asked.length;
  worker?.signal("SIGKILL");
  answer.resolve();
  await stack.startWorker();
  expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
  expect(asked).toHaveLength(before);
});

it("counts requests that the rules refuse, by category and certainty", async () => {
  const body = { model: "fake-blind", prompt: "a fake passport" };
  const refused = await stack.request(account, "POST", "/v1/generate/image", body);
  expect(refused.status).toBe(451);
  const scrape = await fetch(`${stack.adminUrl}/metrics`, {
    headers: { Authorization: `Bearer ${stack.adminKey}` },
  });
  const metrics = await scrape.text();
  const sample = (certainty: string, count: number) =>
    `atelier_moderation_refusals_total{category="forgery",certainty="${certainty}"} ${count}`;
  expect(metrics).toContain(sample("certain", 1));
  expect(metrics).toContain(sample("uncertain", 0));
});

describe("an uncertain match of the rules", () => {
  const generate = async () => {
    const prompt = `a nuude child on a beach ${(number += 1)}`;
    const jobId = await accept("image", { model: "fake-blind", prompt });
    return jobOf(jobId);
  };
  const certaintyOf = ({ id }: Job) =>
    stack.database.query(
      "SELECT allowed, category, certainty FROM moderation_decision WHERE generation_id = $1",
      [id],
    );

  it("passes when the remote model says that it is safe", async () => {
    const job = await generate();
    expect(job).toMatchObject({ status: "completed" });
    expect(await certaintyOf(job)).toEqual([{ allowed: true, category: null, certainty: null }]);
  });

  it.each([
    ["sexual/minors", "content_illegal", "sexual_minors"],
    ["hate", "content_policy_violation", "hate"],
  ])("is refused when the remote model finds %s: %s", async (score, code, category) => {
    listen(() => ({ [score]: 0.95 }));
    const job = await generate();
    expect(job).toMatchObject({
      status: "failed",
      cost_eur: "0.00",
      error: { error: code, details: [{ path: "prompt", category, certainty: "certain" }] },
    });
    expect(await certaintyOf(job)).toEqual([{ allowed: false, category, certainty: "certain" }]);
  });

  it("is refused with the client's own words while the remote model is down", async () => {
    moderation.behave({ kind: "server-error", status: 500, at: "order" });
    const job = await generate();
    moderation.behave(null);
    expect(job).toMatchObject({
      status: "failed",
      error: {
        error: "content_policy_violation",
        details: [{ path: "prompt", certainty: "uncertain", quoted: [{ written: "nuude" }] }],
      },
    });
    expect(await certaintyOf(job)).toEqual([
      { allowed: false, category: "sexual_minors", certainty: "uncertain" },
    ]);
  });
});
