import { job, jobAccepted, mintedKey, quote } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createClient, image, readError } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { WORKER_CONCURRENCY: "1", WORKER_LOCK_SECONDS: "10" },
  });
});

afterAll(() => stack.stop());

const story = {
  model: "builtin-illustrator",
  characters: [{ name: "Mira", description: "a woman with long red hair" }],
  scenes: [
    { prompt: "Mira finds a kite", characters: [{ name: "Mira" }] },
    { prompt: "Mira runs over the dunes", characters: [{ name: "Mira" }] },
  ],
};

const ask = (holder: Pick<TestAccount, "key">, operation: string, request: object) =>
  stack.request(holder, "POST", "/v1/quotes", { operation, request });

async function readQuote(holder: Pick<TestAccount, "key">, operation: string, request: object) {
  const response = await ask(holder, operation, request);
  expect(response.status).toBe(200);
  return quote.parse(await response.json());
}

describe("POST /v1/quotes", () => {
  it("returns the price that the request is charged, and holds nothing", async () => {
    const client = await createClient(stack);
    const quoted = await readQuote(client.account, "story", story);
    expect(quoted).toEqual({
      price_eur: "0.03",
      balance_eur: "10.00",
      affordable: true,
      price: {
        model: "builtin-illustrator",
        operation: "story",
        image_size: "1K",
        images: 3,
        eur_per_image: "0.01",
        steps: null,
        after: [],
      },
      renders: 3,
      estimated_wait_seconds: 0,
    });
    expect(await client.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
    expect((await client.list()).jobs).toEqual([]);
    const accepted = await stack.request(client.account, "POST", "/v1/generate/story", story);
    const done = await client.untilFinal(jobAccepted.parse(await accepted.json()).job_id);
    expect(done.cost_eur).toBe(quoted.price_eur);
  });

  it("says whether the balance and the budget of the key allow the request", async () => {
    const { account } = await createClient(stack, "0.05");
    expect(await readQuote(account, "image", image)).toMatchObject({ affordable: true });
    const minted = await stack.request(account, "POST", "/v1/keys", {
      name: "small",
      budget: { eur: "0.04" },
    });
    const small = mintedKey.parse(await minted.json());
    expect(await readQuote(small, "image", image)).toMatchObject({
      price_eur: "0.05",
      affordable: false,
    });
    const { account: poor } = await createClient(stack, "0.04");
    expect(await readQuote(poor, "image", image)).toMatchObject({ affordable: false });
  });

  const reference = { description: "a harbour", url: "http://images.example.com/harbour.png" };
  it.each([
    ["image", { ...image, promt: "" }],
    ["image", { ...image, model: "no-such-model" }],
    ["image", { ...image, aspect_ratio: "5:1" }],
    ["image", { ...image, reference_images: [reference] }],
    ["story", { ...story, model: "builtin-pattern" }],
    ["story", { ...story, scenes: [...story.scenes, { prompt: "x", location: "nowhere" }] }],
    ["scene", { model: "builtin-illustrator" }],
  ] as const)(
    "refuses %s requests with the error of the operation: %j",
    async (operation, body) => {
      const { account } = await createClient(stack);
      const quoted = await ask(account, operation, body);
      const real = await stack.request(account, "POST", `/v1/generate/${operation}`, body);
      const [expected, found] = await Promise.all([readError(real), readError(quoted)]);
      expect(quoted.status).toBe(real.status);
      expect({ ...found, request_id: "" }).toEqual({ ...expected, request_id: "" });
    },
  );

  it("does not moderate", async () => {
    const { account } = await createClient(stack);
    const prompt = "a severed head on a table";
    expect(await readQuote(account, "image", { ...image, prompt })).toMatchObject({ renders: 1 });
  });

  it("needs the scope generate and a permitted model", async () => {
    const { account } = await createClient(stack);
    for (const limits of [{ scopes: ["read"] }, { models: ["builtin-pattern"] }]) {
      const minted = await stack.request(account, "POST", "/v1/keys", { name: "x", ...limits });
      const key = mintedKey.parse(await minted.json());
      expect((await ask(key, "image", image)).status).toBe(403);
    }
  });
});

describe("a job that waits", () => {
  it("has an estimate that falls with its place, and no estimate once it has started", async () => {
    const client = await createClient(stack);
    expect((await client.generate()).status).toBe(200);
    const gates: (() => void)[] = [];
    stack.provider.behave(async () => {
      await new Promise<void>((resolve) => void gates.push(resolve));
      return { kind: "image" };
    });
    const running = await client.accept();
    const waiting: string[] = [];
    while (waiting.length < 20) waiting.push(await client.accept());
    const read = async (id: string) =>
      job.parse(await (await stack.request(client.account, "GET", `/v1/jobs/${id}`)).json());
    const estimates = await eventually(
      async () => {
        const { jobs } = await client.list("?status=pending&limit=100");
        return jobs.map((one) => one.estimated_wait_seconds).toReversed();
      },
      (seconds) =>
        seconds.every((value) => typeof value === "number") && seconds[0] !== seconds.at(-1),
    );
    const numbers = estimates.map(Number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const { jobs } = await client.list("?limit=100");
    const withEstimate = jobs.filter((one) => one.estimated_wait_seconds != null);
    expect(withEstimate.map(({ id }) => id)).toEqual(waiting.toReversed());
    // The load of lanes is read once a second.
    await eventually(
      () => readQuote(client.account, "image", image),
      (next) => Number(next.estimated_wait_seconds) >= Math.max(...numbers),
    );
    expect(await read(running)).not.toHaveProperty("estimated_wait_seconds");
    stack.provider.behave(() => ({ kind: "image" }));
    for (const open of gates) open();
    for (const id of waiting) await client.untilFinal(id);
  });
});
